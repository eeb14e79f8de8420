import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { CheckChart, Finding } from '../../../worker/api.ts';
import { CheckList } from './CheckList.tsx';

const check = (name: string) => ({ name, title: `Title of ${name}`, about: `About ${name}.` });
const checks = ['init', 'loss', 'overfit', 'steps'].map(check);
const finding = (name: string, more: Partial<Finding>): Finding => ({
  ...check(name),
  light: 'good',
  found: `Found by ${name}.`,
  numbers: {},
  ms: 12,
  ...more,
});
const titles = () =>
  screen.getAllByRole('heading').map(({ textContent }) => textContent?.replace('Title of ', ''));
const row = (name: string) =>
  within(screen.getByRole('heading', { name: `Title of ${name}` }).closest('li') as HTMLElement);

test('every check shows its state as text, its finding and its fix', () => {
  render(
    <CheckList
      checks={checks}
      findings={[finding('init', {}), finding('loss', { light: 'bad', advice: 'Lower the learning rate.' })]}
      checking="overfit"
      instead={[]}
    />,
  );
  expect(screen.getAllByRole('listitem')).toHaveLength(4);
  expect(row('init').getByText('Passed')).toBeTruthy();
  expect(row('init').getByText(/^Found by init\./).textContent).toContain('12.0 ms');
  expect(row('init').queryByText('Suggested fix:')).toBe(null);
  expect(row('loss').getByText('Failed')).toBeTruthy();
  expect(row('loss').getByText('Suggested fix:').parentElement?.textContent).toContain(
    'Lower the learning rate.',
  );
  expect(row('overfit').getByText('Running…')).toBeTruthy();
  expect(row('steps').getByText('Waiting for its turn')).toBeTruthy();
  expect(titles()).toEqual(['init', 'loss', 'overfit', 'steps']);
  // What a check means is behind its button.
  fireEvent.click(row('steps').getByRole('button', { name: 'About: Title of steps' }));
  expect(screen.getByText('About steps.')).toBeTruthy();
});

test('warnings and skipped checks', () => {
  render(
    <CheckList
      checks={checks}
      findings={[finding('init', { light: 'watch' }), finding('loss', { light: 'skipped' })]}
      checking={undefined}
      instead={[]}
    />,
  );
  expect(row('init').getByText('Warning')).toBeTruthy();
  // What needs attention comes first.
  expect(titles()).toEqual(['init', 'overfit', 'steps', 'loss']);
  expect(row('loss').getByText('Skipped')).toBeTruthy();
  expect(screen.queryByText('Running…')).toBe(null);
  expect(row('steps').getByText('Not run yet')).toBeTruthy();
});

test('advice that another check’s is followed instead of is not shown', () => {
  const advice = 'Divide it by 10.';
  const findings = ['loss', 'steps'].map((name) => finding(name, { light: 'bad', advice }));
  render(<CheckList checks={checks} findings={findings} checking={undefined} instead={['steps']} />);
  expect(row('loss').getByText(advice)).toBeTruthy();
  expect(row('steps').queryByText(advice)).toBe(null);
});

test.each<[CheckChart, string]>([
  [
    {
      kind: 'lines',
      series: [{ name: 'loss', values: [2.3, NaN, 0.1] }],
      goal: { name: 'goal', value: 0.2 },
    },
    'Title of loss: loss from 2.3 to 0.1',
  ],
  [
    {
      kind: 'bars',
      bars: [
        { name: 'relu1', value: 0.25 },
        { name: 'relu2', value: 0 },
      ],
    },
    'relu1 25 %, relu2 0 %',
  ],
  [{ kind: 'bars', bars: [{ name: 'a', value: 1200 }] }, 'a 1,200'],
  [
    {
      kind: 'gauge',
      marks: [{ name: 'first', value: Infinity }],
      healthy: [1e-4, 0.1],
      ends: [1e-7, 10],
      log: true,
    },
    'first Infinity',
  ],
])('a picture of the numbers: %#', (chart, words) => {
  render(
    <CheckList
      checks={checks}
      findings={[finding('loss', { light: 'bad', chart })]}
      checking={undefined}
      instead={[]}
    />,
  );
  const picture = screen.getByRole('img');
  expect(picture.getAttribute('aria-label')).toContain(words);
  expect(picture.innerHTML).not.toContain('NaN');
});
