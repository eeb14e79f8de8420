import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { inRange, numberIn } from './number-rule.ts';
import { NumberField } from './NumberField.tsx';

const onChange = vi.fn<(value: string) => void>();

function Field({ whole = false }: { whole?: boolean }) {
  const [value, setValue] = useState('5');
  return (
    <NumberField
      label="Size"
      hint="How large."
      value={value}
      rule={inRange({ least: 0, most: 2000, whole })}
      onChange={(next) => {
        onChange(next);
        setValue(next);
      }}
    />
  );
}

function show(whole = false) {
  onChange.mockReset();
  render(<Field whole={whole} />);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Size' });
  return { field, type: (value: string) => fireEvent.change(field, { target: { value } }) };
}

test.each([
  ['0,01', 0.01],
  ['0.01', 0.01],
  ['1.000', 1],
  ['1,000', 1],
  [' 1e-3 ', 0.001],
  ['−2', -2],
  ['', undefined],
  ['1.000.000', NaN],
  ['1,000.5', NaN],
  ['1 000', NaN],
  ['0x10', NaN],
  ['many', NaN],
])('%j is %d', (text, number) => {
  expect(numberIn(text)).toBe(number);
});

test.each([
  ['1.000', '1'],
  ['0,5', '0.5'],
])('of %s the field says what it understood, and shows it once it is left', (text, number) => {
  const { field, type } = show();
  type(text);
  expect(onChange).toHaveBeenCalledExactlyOnceWith(number);
  expect(field.value).toBe(text);
  expect(screen.getByText(`Read as ${number}.`)).toBeTruthy();
  fireEvent.blur(field);
  expect(field.value).toBe(number);
  expect(screen.getByText('How large.')).toBeTruthy();
});

test.each([
  ['many', ', not many'],
  ['3000', ', not 3000'],
  ['', ''],
])('of %j nothing changes, and the error says which number is kept', async (text, found) => {
  const { field, type } = show();
  type(text);
  fireEvent.blur(field);
  expect(field.value).toBe(text);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  screen.getByRole('textbox', { description: `Enter a number from 0 to 2000${found}. Still 5.` });
  expect(onChange).not.toHaveBeenCalled();
  expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);
  type('6');
  expect(field.hasAttribute('aria-invalid')).toBe(false);
  expect(onChange).toHaveBeenCalledExactlyOnceWith('6');
});

test('arrow keys count whole numbers, as far as they are allowed', async () => {
  const { field, type } = show(true);
  type('1999');
  await userEvent.type(field, '{ArrowUp}{ArrowUp}');
  expect(field.value).toBe('2000');
  await userEvent.type(field, '{ArrowDown}');
  expect(onChange).toHaveBeenLastCalledWith('1999');
});
