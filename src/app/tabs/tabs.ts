/**
 * The runs of this page's other tabs. Each tab says on a channel what it trains, and holds a lock for as long as it lives,
 * so that the others know when it is gone, however it went. Where there are no locks, no tab knows of others.
 */
import { create } from 'zustand';
import { uniqueId } from '../../base/unique-id.ts';
import { live } from '../metrics/live.ts';
import { modelTitle } from '../measured-run.ts';
import { runIsOpen, runStanding, type Standing } from '../state/run.ts';
import { useApp } from '../state/store.ts';

/** The run of a tab. */
export interface TabRun {
  /** The id in its settings, under which it is saved. */
  record: string;
  standing: Standing;
  step: number;
  epoch: number;
  /** "LeNet-5 on Synthetic digits" */
  title: string;
}

type Message =
  | { tab: string; type: 'hello' }
  /** Without an open run, `run` is absent. */
  | { tab: string; type: 'run'; run?: TabRun };

/** What tabs use to find each other; tests have their own. */
export interface TabsOptions {
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>;
  locks: Pick<LockManager, 'request'>;
}

interface TabsState {
  /** The open runs of other tabs, by tab. */
  others: Readonly<Record<string, TabRun>>;
}

export const useTabs = create<TabsState>()(() => ({ others: {} }));

/** The run of another tab that is saved under this id, while it is open there. */
export const runElsewhere = ({ others }: TabsState, record: string | undefined): TabRun | undefined =>
  Object.values(others).find((run) => run.record === record);

/** Whether a tab other than this one trains. */
export const trainingElsewhere = ({ others }: TabsState): TabRun | undefined =>
  Object.values(others).find(({ standing }) => standing === 'training');

const LOCK = 'wgrad-tab:';
/** While a run trains, its step is sent so often. */
const SEND_EVERY_MS = 1000;

/** Tells other tabs of this one's run from now on, and listens to theirs. @returns a function that stops it, for tests */
export async function startTabs({ channel, locks }: TabsOptions, tab = uniqueId()): Promise<() => void> {
  const known = new Set<string>([tab]);
  const send = (message: Message) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
    channel.postMessage(message);
  };
  const sendRun = () => {
    const run = ownRun();
    send(run ? { tab, type: 'run', run } : { tab, type: 'run' });
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.tab === tab) return;
    if (!known.has(data.tab)) {
      known.add(data.tab);
      // Granted once that tab no longer holds it.
      void locks.request(LOCK + data.tab, () => void forget(data.tab));
    }
    if (data.type === 'hello') sendRun();
    else if (data.run) {
      const { tab: other, run } = data;
      useTabs.setState(({ others }) => ({ others: { ...others, [other]: run } }));
    } else forget(data.tab);
  });

  let release: () => void = () => undefined;
  await new Promise<void>((held) => {
    const untilReleased = () => {
      held();
      return new Promise<void>((done) => (release = done));
    };
    void locks.request(LOCK + tab, untilReleased);
  });
  send({ tab, type: 'hello' });

  let sentAt = 0;
  const stops = [
    useApp.subscribe((state, before) => {
      if (state.runState !== before.runState || state.runConfig !== before.runConfig) sendRun();
    }),
    live.subscribe(() => {
      if (!ownRun() || performance.now() - sentAt < SEND_EVERY_MS) return;
      sentAt = performance.now();
      sendRun();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    release();
  };
}

function forget(tab: string): void {
  useTabs.setState(({ others: { [tab]: _gone, ...others } }) => ({ others }));
}

function ownRun(): TabRun | undefined {
  const state = useApp.getState();
  const { runConfig, runState, datasets } = state;
  if (!runConfig?.record || !runIsOpen(runState)) return undefined;
  const dataset = datasets.find(({ name }) => name === runConfig.dataset)?.title ?? runConfig.dataset;
  return {
    record: runConfig.record,
    standing: runStanding(state),
    step: live.step,
    epoch: live.epoch,
    title: `${modelTitle(state, runConfig)} on ${dataset}`,
  };
}

/** Finds the other tabs of this browser, if it can tell when one is gone. */
export async function findTabs(): Promise<void> {
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) return;
  await startTabs({ channel: new BroadcastChannel('wgrad-tabs'), locks: navigator.locks });
}
