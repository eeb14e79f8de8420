import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { LayerAttribute } from '../../../worker/api.ts';
import { AttributeField, NameField } from './AttributeField.tsx';
import { emptyModel, undoEdit, useBuild } from './build-store.ts';
import { startHistory } from './history.ts';
import { detailsOf } from './words.ts';

vi.mock('../../ask-part.ts', () => ({ askPart: () => Promise.resolve(undefined) }));

const attributes = () => useBuild.getState().history.present.layers[1].attributes;

beforeEach(() => {
  const layers = [
    { name: 'relu1', op: 'relu' },
    { name: 'conv1', op: 'conv', attributes: { outChannels: 16, kernelSize: [3, 3] } },
  ];
  useBuild.setState({ history: startHistory({ ...emptyModel(), layers }), selected: 'conv1' });
});

const filters: LayerAttribute = { name: 'outChannels', title: 'Filters', hint: '', kind: 'whole', least: 1 };
const stride: LayerAttribute = {
  name: 'stride',
  title: 'Stride',
  hint: '',
  kind: 'pair',
  least: 1,
  default: [1, 1],
};
const padding: LayerAttribute = {
  name: 'padding',
  title: 'Padding',
  hint: '',
  kind: 'padding',
  default: [0, 0],
};
const bias: LayerAttribute = { name: 'bias', title: 'Bias', hint: '', kind: 'flag', default: true };

test('typed digits and arrow keys change the model; one undo takes them all back', async () => {
  render(<AttributeField at={1} kind={filters} error={undefined} />);
  const field = screen.getByLabelText('Filters');
  await userEvent.clear(field);
  await userEvent.type(field, '24');
  await userEvent.keyboard('{ArrowUp}');
  expect(attributes()).toMatchObject({ outChannels: 25 });
  act(undoEdit);
  expect(attributes()).toMatchObject({ outChannels: 16 });
});

test('text that is not a whole number does not change the model, and undoing replaces it', async () => {
  render(<AttributeField at={1} kind={filters} error={undefined} />);
  const field = screen.getByLabelText<HTMLInputElement>('Filters');
  fireEvent.change(field, { target: { value: '16x' } });
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(attributes()).toMatchObject({ outChannels: 16 });
  expect(screen.getByText('Enter a whole number of at least 1, not 16x. Still 16.')).toBeTruthy();
  fireEvent.change(field, { target: { value: '24' } });
  fireEvent.change(field, { target: { value: '24x' } });
  act(undoEdit);
  expect(field.value).toBe('16');
  expect(field.getAttribute('aria-invalid')).toBeNull();
});

test.each([
  ['', 'Enter a whole number of at least 1. Still 16.'],
  ['1.5', 'Enter a whole number of at least 1, not 1.5. Still 1.'],
  ['-3', 'Enter a whole number of at least 1, not -3. Still 16.'],
])('a required number keeps its value while %j is typed, and says what is expected', async (text, error) => {
  render(<AttributeField at={1} kind={filters} error={undefined} />);
  const field = screen.getByLabelText('Filters');
  await userEvent.clear(field);
  if (text) await userEvent.type(field, text);
  expect(screen.getByText(error)).toBeTruthy();
  expect(detailsOf(useBuild.getState().history.present.layers[1])).not.toMatch(/undefined|-3|1\.5/);
  fireEvent.blur(field);
  expect(screen.getByText(error)).toBeTruthy();
  fireEvent.change(field, { target: { value: '2' } });
  expect(screen.queryByText(error)).toBeNull();
});

test('the first number of a pair sets both while they are equal', () => {
  render(<AttributeField at={1} kind={stride} error={undefined} />);
  const [vertical, horizontal] = ['vertical', 'horizontal'].map((way) =>
    screen.getByRole<HTMLInputElement>('textbox', { name: `Stride, ${way}` }),
  );
  expect(vertical.placeholder).toBe('1');
  fireEvent.change(vertical, { target: { value: '2' } });
  expect(attributes()).toMatchObject({ stride: [2, 2] });
  fireEvent.change(horizontal, { target: { value: '3' } });
  expect(attributes()).toMatchObject({ stride: [2, 3] });
  fireEvent.change(vertical, { target: { value: '4' } });
  expect(attributes()).toMatchObject({ stride: [4, 3] });
});

test('padding is symmetric, “same”, or different on each side', () => {
  render(<AttributeField at={1} kind={padding} error={undefined} />);
  const style = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Padding' });
  const field = (name: string) => screen.getByRole('textbox', { name: `Padding, ${name}` });
  const choose = (value: string) => fireEvent.change(style, { target: { value } });
  fireEvent.change(field('vertical'), { target: { value: '2' } });
  fireEvent.change(field('horizontal'), { target: { value: '1' } });
  expect(attributes()).toMatchObject({ padding: [2, 1] });
  choose('sides');
  expect(attributes()).toMatchObject({ padding: { top: 2, bottom: 2, left: 1, right: 1 } });
  fireEvent.change(field('bottom'), { target: { value: '3' } });
  expect(attributes()).toMatchObject({ padding: { top: 2, bottom: 3, left: 1, right: 1 } });
  choose('same');
  expect(attributes()).toMatchObject({ padding: 'same' });
  expect(screen.queryByRole('textbox')).toBeNull();
  choose('symmetric');
  expect(attributes()).not.toHaveProperty('padding');
});

test('a switch at its default is not stored; the error of the worker replaces the hint', async () => {
  render(<AttributeField at={1} kind={bias} error="Bias: expected true or false." />);
  const box = screen.getByRole('checkbox', { name: 'Bias', description: 'Bias: expected true or false.' });
  await userEvent.click(box);
  expect(attributes()).toHaveProperty('bias', false);
  await userEvent.click(box);
  expect(attributes()).not.toHaveProperty('bias');
});

test.each([
  ['relu1', 'Name already in use.'],
  ['input', 'This name is reserved.'],
  ['a b', 'Use letters, digits, dots, dashes and underscores only.'],
])('the name %j is refused', (name, error) => {
  render(<NameField at={1} />);
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: name } });
  expect(screen.getByText(error)).toBeTruthy();
  expect(useBuild.getState().history.present.layers[1].name).toBe('conv1');
});
