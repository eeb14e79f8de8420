/** What the Lab knows: the race as it is typed, WGSL on trial, and what its jobs have come to. */
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
import { ask, tell } from '../../client.ts';
import { onEvent } from '../../events.ts';
import { useApp } from '../../state/store.ts';
import { fold, isRunning, newBatch, type Batch } from './batch.ts';
import type { RaceText } from './sizes.ts';

/** The parts of the Lab that measure; each keeps its last batch. */
export type Place = 'race' | 'suite' | 'map' | 'ladder' | 'tune';

/** A batch with what a report of it needs. */
export interface Measured extends Batch {
  /** When it began. */
  date: Date;
  adapter: AdapterSummary | undefined;
  /** Files whose WGSL was on trial. */
  edited: string[];
}

interface LabState {
  catalogue: LabCatalogue | undefined;
  race: RaceText;
  /** What is chosen in the other parts, by part and name. */
  settings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** WGSL on trial by the name of its file. */
  edits: Readonly<Record<string, string>>;
  batches: Readonly<Partial<Record<Place, Measured>>>;
  /** Launches that tuning leaves out. */
  exclude: readonly ConvChoice[];
  /** A run was paused for a measurement and still rests. */
  pausedRun: boolean;
  setRace(race: RaceText): void;
  setSettings(part: string, settings: Readonly<Record<string, string>>): void;
  /** @param text undefined brings the file's own text back */
  edit(file: string, text: string | undefined): void;
  setExclude(exclude: readonly ConvChoice[]): void;
  dismissPausedRun(): void;
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
    },
    direction: 'fprop',
    numbers: 'f32',
    workspace: '64',
    algorithms: [],
  },
  settings: {},
  edits: {},
  batches: {},
  exclude: [],
  pausedRun: false,
  setRace: (race) => set({ race }),
  setSettings: (part, settings) =>
    set((state) => ({ settings: { ...state.settings, [part]: { ...state.settings[part], ...settings } } })),
  edit: (file, text) =>
    set(({ edits }) => {
      const others = Object.entries(edits).filter(([name]) => name !== file);
      return { edits: Object.fromEntries(text === undefined ? others : [...others, [file, text]]) };
    }),
  setExclude: (exclude) => set({ exclude }),
  dismissPausedRun: () => set({ pausedRun: false }),
}));

let jobs = 0;

const placeOf = (job: number): Place | undefined => {
  const entries = Object.entries(useLab.getState().batches) as [Place, Measured][];
  return entries.find(([, batch]) => batch.job === job)?.[0];
};

const change = (place: Place, how: (batch: Measured) => Measured) =>
  useLab.setState(({ batches }) => {
    const batch = batches[place];
    return batch ? { batches: { ...batches, [place]: how(batch) } } : {};
  });

onEvent('lab', ({ job, ...progress }) => {
  const { gpuTask, setGpuTask } = useApp.getState();
  if (progress.step === 'begun') setGpuTask('lab');
  if (progress.step === 'ended' && gpuTask === 'lab') setGpuTask(undefined);
  const place = placeOf(job);
  if (!place) return;
  change(place, (batch) => ({ ...batch, ...fold(batch, progress) }));
  if (progress.step === 'begun' && progress.pausedRun) useLab.setState({ pausedRun: true });
});

// A worker that died tells no end.
useApp.subscribe(({ crash, runState }) => {
  const { batches, pausedRun } = useLab.getState();
  if (pausedRun && runState !== 'paused') useLab.setState({ pausedRun: false });
  if (crash === undefined) return;
  for (const [place, batch] of Object.entries(batches) as [Place, Measured][]) {
    const error: FailureValue = { code: 'cancelled', message: 'The worker ended before it was done.' };
    if (isRunning(batch)) {
      change(place, (one) => ({ ...one, ...fold(one, { step: 'ended', how: 'failed', error }) }));
    }
  }
});

/** Asks the worker once what the Lab has to show. */
export async function loadLab(): Promise<void> {
  if (useLab.getState().catalogue) return;
  const catalogue = await askPart((api) => api.labCatalogue());
  if (catalogue) useLab.setState({ catalogue });
}

/** Begins to measure for one part of the Lab; its batch tells how it goes. */
export async function measure(
  place: Place,
  requests: FindRequest[],
  edits: Readonly<Record<string, string>> = {},
): Promise<void> {
  const job: FindJob = { kind: 'find', requests, edits };
  await begin(place, job, newBatch(++jobs, requests), Object.keys(edits));
}

/** What is not measured again keeps its results. */
export async function tune(job: Omit<TuneJob, 'kind'>): Promise<void> {
  const kept = job.only ? (useLab.getState().batches.tune?.measurements ?? []) : [];
  await begin('tune', { kind: 'tune', ...job }, newBatch(++jobs, [], kept), []);
}

async function begin(place: Place, what: LabJob, batch: Batch, edited: string[]): Promise<void> {
  const { job } = batch;
  const { adapter } = useApp.getState();
  const measured: Measured = { ...batch, date: new Date(), adapter, edited };
  useLab.setState(({ batches }) => ({ batches: { ...batches, [place]: measured } }));
  const answer = await ask((api) => api.beginLab(job, what));
  if (answer.ok) return;
  change(place, (one) =>
    one.job === job ? { ...one, ...fold(one, { step: 'ended', how: 'failed', error: answer.error }) } : one,
  );
}

export async function cancel(): Promise<void> {
  await tell((api) => api.cancelLab());
}

/** The part of the Lab that measures now. */
export const runningPlace = ({ batches }: Pick<LabState, 'batches'>): Place | undefined =>
  (Object.keys(batches) as Place[]).find((place) => isRunning(batches[place]));

const NO_ALGORITHMS: LabCatalogue['algorithms'] = [];

/** Those that take part, in the order of their names; none until the worker has told. */
export const useAlgorithms = (): LabCatalogue['algorithms'] =>
  useLab((state) => state.catalogue?.algorithms ?? NO_ALGORITHMS);
