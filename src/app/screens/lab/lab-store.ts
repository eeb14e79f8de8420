/** The state of the Lab: the race as it is typed, edited WGSL, and the progress of its jobs. */
import { create } from 'zustand';
import type { FailureValue } from '../../../base/result.ts';
import type {
  AdapterSummary,
  ConvChoice,
  FindJob,
  FindRequest,
  LabCatalogue,
  LabJob,
  TuneJob,
} from '../../../worker/api.ts';
import { askPart } from '../../ask-part.ts';
import { ask } from '../../client.ts';
import { onEvent } from '../../events.ts';
import { useApp } from '../../state/store.ts';
import { fold, isRunning, newBatch, type Batch } from './batch.ts';
import { learn } from './estimate.ts';
import type { RaceText } from './sizes.ts';

/** The views of the Lab. Each keeps its last batch. */
export type LabView = 'race' | 'suite' | 'map' | 'ladder' | 'tune';

/** A batch with what a report of it needs. */
export interface MeasuredBatch extends Batch {
  /** When it started. */
  date: Date;
  adapter: AdapterSummary | undefined;
  /** Files whose WGSL was edited. */
  edited: string[];
}

interface LabState {
  catalogue: LabCatalogue | undefined;
  race: RaceText;
  /** The settings of the other views, by view and name. */
  settings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Edited WGSL, by the name of its file. */
  edits: Readonly<Record<string, string>>;
  /** What became of the edited WGSL that a link brought, until that is dismissed. */
  linkedWgsl: 'loaded' | 'damaged' | undefined;
  batches: Readonly<Partial<Record<LabView, MeasuredBatch>>>;
  /** How many have been started: a batch's number tells which one an event is of. */
  jobs: number;
  /** When the problem that is measured now was begun, as of `performance.now`. */
  searchStarted: number;
  /** Variants that tuning skips. */
  exclude: readonly ConvChoice[];
  setSettings(part: string, settings: Readonly<Record<string, string>>): void;
  /** @param text undefined restores the file's own text */
  edit(file: string, text: string | undefined): void;
}

export const useLab = create<LabState>()((set) => ({
  catalogue: undefined,
  race: {
    sizes: {
      N: '16',
      C: '16',
      H: '32',
      W: '32',
      K: '16',
      R: '3',
      S: '3',
      stride: '1',
      padding: '1',
      dilation: '1',
      groups: '1',
      layout: 'nchw',
    },
    direction: 'fprop',
    numbers: 'f32',
    workspace: '',
    threads: '',
    workgroups: '',
    algorithms: [],
    cpu: '',
  },
  settings: {},
  edits: {},
  linkedWgsl: undefined,
  batches: {},
  jobs: 0,
  searchStarted: 0,
  exclude: [],
  setSettings: (part, settings) =>
    set((state) => ({ settings: { ...state.settings, [part]: { ...state.settings[part], ...settings } } })),
  edit: (file, text) =>
    set(({ edits }) => {
      const others = Object.entries(edits).filter(([name]) => name !== file);
      return { edits: Object.fromEntries(text === undefined ? others : [...others, [file, text]]) };
    }),
}));

export const changeRace = (change: Partial<RaceText>): void =>
  useLab.setState(({ race }) => ({ race: { ...race, ...change } }));

const viewOf = (job: number): LabView | undefined => {
  const entries = Object.entries(useLab.getState().batches) as [LabView, MeasuredBatch][];
  return entries.find(([, batch]) => batch.job === job)?.[0];
};

const change = (view: LabView, how: (batch: MeasuredBatch) => MeasuredBatch) =>
  useLab.setState(({ batches }) => {
    const batch = batches[view];
    return batch ? { batches: { ...batches, [view]: how(batch) } } : {};
  });

onEvent('lab', ({ job, ...progress }) => {
  const view = viewOf(job);
  if (!view) return;
  change(view, (batch) => ({ ...batch, ...fold(batch, progress) }));
  const now = performance.now();
  if (progress.step === 'measuring') useLab.setState({ searchStarted: now });
  if (progress.step === 'found') learn(view, (now - useLab.getState().searchStarted) / 1000);
});

// A worker that crashed, or was restarted because it hung, does not report the end of a job.
useApp.subscribe(({ crash, workers }, before) => {
  const { batches } = useLab.getState();
  if (crash === undefined && workers === before.workers) return;
  for (const [view, batch] of Object.entries(batches) as [LabView, MeasuredBatch][]) {
    const error: FailureValue = { code: 'cancelled', message: 'The worker ended during the measurement.' };
    if (isRunning(batch)) {
      change(view, (one) => ({ ...one, ...fold(one, { step: 'ended', how: 'failed', error }) }));
    }
  }
});

/** Loads the catalogue of algorithms and problems, once. */
export async function loadLab(): Promise<void> {
  if (useLab.getState().catalogue) return;
  const catalogue = await askPart((api) => api.lab.labCatalogue());
  if (catalogue) useLab.setState({ catalogue });
}

function nextJob(): number {
  useLab.setState(({ jobs }) => ({ jobs: jobs + 1 }));
  return useLab.getState().jobs;
}

/** Starts a measurement of one view. Its batch shows the progress. */
export async function measure(
  view: LabView,
  requests: FindRequest[],
  edits: Readonly<Record<string, string>> = {},
): Promise<void> {
  const job: FindJob = { kind: 'find', requests, edits };
  await start(view, job, newBatch(nextJob(), requests), Object.keys(edits));
}

/** Tunes the current model. Results of uses that are not tuned again stay. */
export async function tune(job: Omit<TuneJob, 'kind'>): Promise<void> {
  const kept = job.only ? (useLab.getState().batches.tune?.measurements ?? []) : [];
  await start('tune', { kind: 'tune', ...job }, newBatch(nextJob(), [], kept), []);
}

async function start(view: LabView, what: LabJob, batch: Batch, edited: string[]): Promise<void> {
  const { job } = batch;
  const { adapter } = useApp.getState();
  const measured: MeasuredBatch = { ...batch, date: new Date(), adapter, edited };
  useLab.setState(({ batches }) => ({ batches: { ...batches, [view]: measured } }));
  const answer = await ask((api) => api.lab.startLab(job, what));
  if (answer.ok) return;
  change(view, (one) =>
    one.job === job ? { ...one, ...fold(one, { step: 'ended', how: 'failed', error: answer.error }) } : one,
  );
}

/** The view that is measuring now. */
export const runningView = ({ batches }: Pick<LabState, 'batches'>): LabView | undefined =>
  (Object.keys(batches) as LabView[]).find((view) => isRunning(batches[view]));

const NO_ALGORITHMS: LabCatalogue['algorithms'] = [];

/** All algorithms in alphabetical order; none until the catalogue is loaded. */
export const useAlgorithms = (): LabCatalogue['algorithms'] =>
  useLab((state) => state.catalogue?.algorithms ?? NO_ALGORITHMS);
