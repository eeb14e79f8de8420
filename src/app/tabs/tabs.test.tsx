import { act, render, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useApp } from '../state/store.ts';
import { OtherTabs } from './OtherTabs.tsx';
import { completed } from '../../run/settings/rules.ts';
import { keptStanding } from '../journal/record.ts';
import { useShownState } from './shown-state.ts';
import { findTabs, startTabs, useTabs, type TabRun } from './tabs.ts';

/** Locks that wait in line, as far as tabs use them. */
class Locks {
  private readonly tails = new Map<string, Promise<unknown>>();

  readonly request = (name: string, work: () => unknown): Promise<unknown> => {
    const done = (this.tails.get(name) ?? Promise.resolve()).then(work);
    this.tails.set(name, done);
    return done;
  };
}

let locks: Locks;
let sent: unknown[];
let hear: (message: unknown) => void;
let stop: () => void;

beforeEach(async () => {
  useApp.setState({ ...useApp.getInitialState() }, true);
  useTabs.setState({ others: {} });
  locks = new Locks();
  sent = [];
  const channel = {
    postMessage: (message: unknown) => sent.push(message),
    addEventListener: (_type: string, listener: (event: { data: unknown }) => void) => {
      hear = (data) => listener({ data });
    },
  };
  stop = await startTabs({ channel, locks } as never, 'here');
});
afterEach(() => stop());

const run: TabRun = { record: 'r1', standing: 'training', step: 40, epoch: 1, title: 'LeNet-5 on Digits' };

/** Another tab, which lives until it is closed. */
async function openTab(tab: string) {
  let close: () => void = () => undefined;
  await new Promise<void>((held) => {
    void locks.request(`wgrad-tab:${tab}`, () => {
      held();
      return new Promise<void>((done) => (close = done));
    });
  });
  const say = (message: object) => act(() => hear({ tab, ...message }));
  return { say, close: () => act(async () => close()) };
}

const config = { ...completed({ epochs: 3 }), model: 'lenet5', dataset: 'digits', record: 'r1' };
const saved = { state: 'paused', step: 12, epoch: 1, config, evaluations: [] } as const;

test('a run that another tab has open is shown as it is there, until that tab is gone', async () => {
  const { result } = renderHook(() => useShownState(saved));
  expect(result.current).toMatchObject({ words: 'Paused', step: 12 });
  const other = await openTab('there');
  other.say({ type: 'run', run });
  expect(result.current).toMatchObject({ words: 'Training, other tab', step: 40 });
  other.say({ type: 'run', run: { ...run, step: 80, standing: 'finished' } });
  expect(result.current).toMatchObject({ words: 'Finished, other tab', step: 80 });
  // It crashes: it says nothing more.
  await other.close();
  await expect.poll(() => result.current).toMatchObject({ words: 'Paused', step: 12 });
  // It has trained its epochs, and another run has replaced it.
  const over = renderHook(() => useShownState({ ...saved, state: 'stopped', epoch: 3 }));
  expect(over.result.current.words).toBe('Finished');
  expect(keptStanding({ ...saved, imported: { file: 'a.onnx' } })).toBe('imported');
});

test('a run that ends in another tab is no longer there', async () => {
  const other = await openTab('there');
  other.say({ type: 'run', run });
  other.say({ type: 'run' });
  expect(useTabs.getState().others).toEqual({});
});

test('training in two tabs is announced, and can be dismissed', async () => {
  render(<OtherTabs />);
  const title = 'Another tab is also training';
  (await openTab('there')).say({ type: 'run', run });
  expect(screen.queryByText(title)).toBe(null);
  act(() => useApp.setState({ runState: 'training' }));
  expect(screen.getByRole('status').textContent).toContain(title);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(title)).toBe(null);
});

test('a tab says hello, and answers others with its own run', async () => {
  expect(sent).toEqual([{ tab: 'here', type: 'hello' }]);
  const own = { ...completed({}), model: 'lenet5', dataset: 'digits', record: 'mine' };
  useApp.setState({ runId: 1, runState: 'training', runConfig: own });
  const mine = { record: 'mine', standing: 'training', step: 0, epoch: 0, title: 'lenet5 on digits' };
  expect(sent.at(-1)).toEqual({ tab: 'here', type: 'run', run: mine });
  useApp.setState({ runState: 'stopped' });
  expect(sent.at(-1)).toEqual({ tab: 'here', type: 'run' });
  const before = sent.length;
  (await openTab('there')).say({ type: 'hello' });
  expect(sent).toHaveLength(before + 1);
});

test('without locks, a tab knows of no others and says nothing', async () => {
  const Channel = vi.fn<() => void>();
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal('navigator', {});
  await findTabs();
  vi.unstubAllGlobals();
  expect(Channel).not.toHaveBeenCalled();
});
