import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { expect, test, vi } from 'vitest';
import type { LabelLook } from './Labelled.tsx';
import { Select } from './Select.tsx';

const LOOKS: LabelLook[] = ['line', 'brief', 'block', 'above', 'beside', 'hidden'];

test.each(LOOKS)('with its label %s, a list is named, described, and chosen from', async (look) => {
  const onChange = vi.fn<(value: 'a' | 'b') => void>();
  render(
    <Select
      look={look}
      label="Letter"
      hint="One of two."
      value="a"
      options={{ a: 'A', b: 'B' }}
      onChange={onChange}
    />,
  );
  const list = screen.getByRole('combobox', { name: 'Letter', description: 'One of two.' });
  await userEvent.selectOptions(list, 'B');
  expect(onChange).toHaveBeenCalledExactlyOnceWith('b');
  expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);
});

test('neighbouring options of one group stand below its name; absent ones are left out', () => {
  render(
    <Select
      label="Model"
      value="x"
      options={[
        { value: 'x', title: 'None' },
        false,
        { value: 'a', title: 'A', group: 'First' },
        { value: 'b', title: 'B', group: 'First' },
        { value: 'c', title: 'C', group: 'Second', disabled: true },
      ]}
      onChange={() => undefined}
    />,
  );
  const titles = (group: string) =>
    within(screen.getByRole('group', { name: group }))
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
  expect(titles('First')).toEqual(['A', 'B']);
  expect(titles('Second')).toEqual(['C']);
  expect(screen.getAllByRole('option')).toHaveLength(4);
  expect(screen.getByRole<HTMLOptionElement>('option', { name: 'C' }).disabled).toBe(true);
});
