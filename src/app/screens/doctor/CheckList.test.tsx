import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Finding } from '../../../worker/api.ts';
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
const row = (name: string) =>
  within(screen.getByRole('heading', { name: `Title of ${name}` }).closest('li') as HTMLElement);

test('every check shows its state as text, its finding and its fix', () => {
  render(
    <CheckList
      checks={checks}
      findings={[finding('init', {}), finding('loss', { light: 'bad', advice: 'Lower the learning rate.' })]}
      checking="overfit"
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
  expect(row('steps').getByText('Pending')).toBeTruthy();
  expect(row('steps').getByText('About steps.')).toBeTruthy();
});

test('warnings and skipped checks', () => {
  render(
    <CheckList
      checks={checks}
      findings={[finding('init', { light: 'watch' }), finding('loss', { light: 'skipped' })]}
      checking={undefined}
    />,
  );
  expect(row('init').getByText('Warning')).toBeTruthy();
  expect(row('loss').getByText('Skipped')).toBeTruthy();
  expect(screen.queryByText('Running…')).toBe(null);
});
