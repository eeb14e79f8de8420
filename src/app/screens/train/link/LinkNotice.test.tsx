import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ModelEntry } from '../../../../worker/api.ts';
import { useApp } from '../../../state/store.ts';
import { LinkNotice } from './LinkNotice.tsx';

vi.mock('../../../client.ts', () => ({ ask: vi.fn<() => Promise<never>>() }));

beforeEach(() => {
  useApp.setState({
    ...useApp.getInitialState(),
    models: [{ name: 'lenet5', title: 'LeNet-5' } as ModelEntry],
  });
});

const open = (parameters: string) => {
  history.replaceState(null, '', `/#/train?v=2&${parameters}`);
  render(<LinkNotice />);
};

test('a link with nothing valid offers nothing that would reset all settings', async () => {
  useApp.getState().change({ seed: '7' });
  open('lr=fast&colour=red');
  expect(screen.getByText('This link contains no valid settings')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Apply settings' })).toBe(null);
  await userEvent.click(screen.getByRole('button', { name: 'Keep my settings' }));
  expect(useApp.getState().settings.seed).toBe('7');
});

test('what is valid beside something invalid can be applied', async () => {
  open('lr=0.02&batch=many');
  await userEvent.click(screen.getByRole('button', { name: 'Apply settings' }));
  expect(useApp.getState().settings.lr).toBe('0.02');
});
