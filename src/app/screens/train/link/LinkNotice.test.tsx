import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ModelEntry } from '../../../../worker/api.ts';
import { useApp } from '../../../state/store.ts';
import { LinkNotice } from './LinkNotice.tsx';

const ask = vi.hoisted(() => vi.fn<() => Promise<never>>());
vi.mock('../../../client.ts', () => ({ ask }));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  useApp.setState({
    ...useApp.getInitialState(),
    models: [{ name: 'lenet5', title: 'LeNet-5' } as ModelEntry],
  });
});

const open = (parameters: string) => {
  history.replaceState(null, '', `/#/train?v=2&${parameters}`);
  return render(<LinkNotice />);
};
const settings = () => useApp.getState().settings;
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('a link with nothing valid offers nothing that would reset all settings', async () => {
  useApp.getState().change({ seed: '7' });
  open('lr=fast&colour=red');
  expect(await screen.findByText('This link contains no valid settings')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Apply settings' })).toBe(null);
  await press('Keep my settings');
  expect(settings().seed).toBe('7');
});

test('what is valid beside something invalid can be applied', async () => {
  open('lr=0.02&batch=many');
  await screen.findByText(/^batch: expected a whole number/);
  expect(settings().lr).toBe('0.001');
  await press('Apply settings');
  expect(settings().lr).toBe('0.02');
});

test('who has no settings yet gets those of a link at once, starts nothing, and can undo it', async () => {
  open('lr=0.02&seed=9');
  const notice = within(await screen.findByRole('status'));
  expect(settings()).toMatchObject({ lr: '0.02', seed: '9' });
  expect(notice.getByText(/Learning rate 0.02 · Seed 9/)).toBeTruthy();
  expect(location.hash).toBe('#/train');
  expect(ask).not.toHaveBeenCalled();
  await press('Undo');
  expect(settings()).toMatchObject({ lr: '0.001', seed: '1' });
  expect(screen.queryByRole('status')).toBe(null);
});

test('whoever has chosen settings is asked, in a status', async () => {
  useApp.getState().change({ seed: '7' });
  open('lr=0.02');
  const notice = within(await screen.findByRole('status'));
  expect(settings()).toMatchObject({ lr: '0.001', seed: '7' });
  await userEvent.click(notice.getByRole('button', { name: 'Apply settings' }));
  expect(settings()).toMatchObject({ lr: '0.02', seed: '1' });
});

test('settings of an earlier link are nobody’s own, until one is changed', async () => {
  open('lr=0.02').unmount();
  open('lr=0.02');
  await screen.findByRole('button', { name: 'Undo' });
  history.replaceState(null, '', '/#/train?v=2&lr=0.03');
  dispatchEvent(new HashChangeEvent('hashchange'));
  await waitFor(() => expect(settings().lr).toBe('0.03'));
  useApp.getState().change({ seed: '7' });
  history.replaceState(null, '', '/#/train?v=2&lr=0.04');
  dispatchEvent(new HashChangeEvent('hashchange'));
  await screen.findByRole('button', { name: 'Apply settings' });
  expect(settings().lr).toBe('0.03');
});
