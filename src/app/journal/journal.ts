/** Saves every run while it trains: its state and live metrics are written to its record now and then. */
import { isFull, storageReason, WHEN_FULL } from '../../base/storage-error.ts';
import { uniqueId } from '../../base/unique-id.ts';
import { ask } from '../client.ts';
import { live } from '../metrics/live.ts';
import { modelTitle } from '../measured-run.ts';
import { useApp } from '../state/store.ts';
import type { RunConfig } from '../../worker/api.ts';
import { readRecords, removeWeights, writeRecord, writeWeights } from './database.ts';
import { nameOf } from './names.ts';
import { continued, noPoints } from '../../run/metrics/points.ts';
import { evaluationsWith, type RunRecord } from './record.ts';
import { useRuns } from './runs-store.ts';

const WRITE_EVERY_MS = 3000;
/** Weights are kept for this many runs, and for starred ones. */
const MAX_WEIGHTS = 24;

/** The run that is being saved. `base` is its record from before this page resumed it. */
interface Open {
  runId: number;
  base: RunRecord;
  record: RunRecord;
}

let open: Open | undefined;
/** The number of a run that was deleted while it was open: its next step does not restore it. */
let deleted = 0;
let trainingSince: number | undefined;
let writtenAt = -Infinity;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Loads the saved runs, and saves new ones from then on. Call once. */
export async function startJournal(): Promise<void> {
  live.subscribe(() => take(false));
  useApp.subscribe((state, before) => {
    if (state.runState === before.runState && state.runId === before.runId) return;
    const now = performance.now();
    if (trainingSince !== undefined && open) open.base.trainedMs += now - trainingSince;
    trainingSince = state.runState === 'training' ? now : undefined;
    // The newest rows are in the metrics already.
    take(true);
    const rests = state.runState === 'paused' || state.runState === 'stopped' || state.runState === 'failed';
    if (rests && open?.runId === state.runId) void saveWeights(open);
  });
  addEventListener('pagehide', () => take(true));
  try {
    const kept = await readRecords();
    const here = useRuns.getState().records ?? [];
    const older = kept.filter(({ id }) => !here.some((record) => record.id === id)).map(atRest);
    useRuns.setState({ records: [...older, ...here].sort((a, b) => a.number - b.number) });
  } catch (error) {
    useRuns.setState({ records: useRuns.getState().records ?? [], error: reasonOf(error) });
  }
}

/** A run that was training when the page was closed is paused. */
const atRest = (record: RunRecord): RunRecord =>
  ['preparing', 'training', 'recovering'].includes(record.state) ? { ...record, state: 'paused' } : record;

const reasonOf = (error: unknown): string => storageReason(error) + (isFull(error) ? `. ${WHEN_FULL}` : '');

/** A run cannot resume once another has replaced it. */
function ended({ base, record }: Open): RunRecord {
  const { name, note, starred } = current(base);
  return { ...record, name, note, starred, state: record.state === 'failed' ? 'failed' : 'stopped' };
}

/** Updates the record. @param atOnce writes it even if it was written a moment ago */
function take(atOnce: boolean): void {
  const { runId, runConfig, runState, choices } = useApp.getState();
  const { records } = useRuns.getState();
  const { curve, evaluations, step, epoch, confusion } = live;
  if (!records || runId === 0 || runId === deleted || !runConfig || curve.count === 0) return;
  if (open?.runId !== runId) {
    const next = begin(runId, runConfig, records);
    if (open && open.base.id !== next.base.id) void saveRecord(ended(open));
    open = next;
  }
  const { base } = open;
  const rate = curve.last?.imagesPerSecond;
  // Only the newest confusion matrix is saved.
  const evaluated = evaluations.map((evaluation) => {
    const { confusion: _older, ...rest } = evaluation;
    return rest;
  });
  const training = trainingSince === undefined ? 0 : performance.now() - trainingSince;
  open.record = {
    ...current(base),
    config: { ...runConfig, ...(base.config.record ? { record: base.config.record } : {}) },
    kept: Date.now(),
    state: runState,
    step,
    epoch,
    trainedMs: base.trainedMs + training,
    ...(rate !== undefined && Number.isFinite(rate) ? { imagesPerSecond: rate } : {}),
    points: continued(base.points, curve.thinned()),
    evaluations: evaluationsWith(base.evaluations, evaluated, curve.points.step[0]),
    ...(confusion ? { confusion } : {}),
    choices: choices ?? base.choices,
  };
  schedule(atOnce);
}

/** The latest version of the record, with changes by the user: name, star, note. */
const current = (base: RunRecord): RunRecord =>
  useRuns.getState().records?.find(({ id }) => id === base.id) ?? base;

/** The record of a run that starts, or that resumes after a reload. */
function begin(runId: number, config: RunConfig, records: readonly RunRecord[]): Open {
  const line = config.record;
  const before = line === undefined ? undefined : records.findLast((one) => one.config.record === line);
  if (before && live.curve.points.step[0] > 1) return { runId, base: { ...before }, record: before };
  const { adapter, datasets } = useApp.getState();
  const entry = datasets.find(({ name }) => name === config.dataset);
  const number = 1 + Math.max(0, ...records.map((one) => one.number));
  const base: RunRecord = {
    id: uniqueId(),
    name: nameOf(config.seed, number),
    number,
    config,
    ...parentOf(config, records),
    began: Date.now(),
    kept: Date.now(),
    model: modelTitle(useApp.getState(), config),
    dataset: entry?.title ?? config.dataset,
    classes: entry?.classes ?? [],
    adapter: adapter?.description ?? '',
    software: adapter?.software ?? false,
    state: 'training',
    step: 0,
    epoch: 0,
    trainedMs: 0,
    points: noPoints(),
    evaluations: [],
    choices: {},
    starred: false,
    note: '',
  };
  return { runId, base, record: base };
}

/** The run whose weights it starts from, or the one before it. */
function parentOf({ start }: RunConfig, records: readonly RunRecord[]): Pick<RunRecord, 'parent'> {
  if (start) return { parent: { id: start.run, name: start.name, step: start.step } };
  const before = records.at(-1);
  return before ? { parent: { id: before.id, name: before.name } } : {};
}

/** Saves and returns the open run's record with its current weights. If it trains, the weights may change meanwhile. */
export async function saveOpen(): Promise<RunRecord | undefined> {
  take(true);
  if (open) await saveWeights(open);
  return open?.record;
}

function schedule(atOnce: boolean): void {
  const wait = atOnce ? 0 : Math.max(0, writtenAt + WRITE_EVERY_MS - performance.now());
  if (wait === 0) {
    clearTimeout(timer);
    timer = undefined;
    write();
  } else timer ??= setTimeout(() => ((timer = undefined), write()), wait);
}

function write(): void {
  if (!open) return;
  writtenAt = performance.now();
  void saveRecord(open.record);
}

/** Puts a record into the list and the browser's storage, in place of the one with its id. */
export async function saveRecord(record: RunRecord): Promise<void> {
  const { records = [] } = useRuns.getState();
  const known = records.some(({ id }) => id === record.id);
  useRuns.setState({
    records: known ? records.map((one) => (one.id === record.id ? record : one)) : [...records, record],
  });
  try {
    await writeRecord(record);
  } catch (error) {
    useRuns.setState({ error: reasonOf(error) });
  }
}

/** Stops saving a run, if it is the open one. */
export function dropOpen(id: string): void {
  if (open?.record.id !== id) return;
  deleted = open.runId;
  open = undefined;
}

async function saveWeights({ runId, base }: Open): Promise<void> {
  const answer = await ask((api) => api.runWeights());
  if (!answer.ok || answer.value.runId !== runId) return;
  const { step, bytes } = answer.value;
  try {
    await writeWeights(base.id, bytes);
    const record = current(base);
    if (open?.base.id === base.id) open.record = { ...open.record, weights: { step, bytes: bytes.length } };
    await saveRecord({ ...record, weights: { step, bytes: bytes.length } });
    await thinWeights();
  } catch (error) {
    useRuns.setState({ error: reasonOf(error) });
  }
}

/** Deletes the oldest weights when there are many. */
async function thinWeights(): Promise<void> {
  const { records = [] } = useRuns.getState();
  const held = records.filter(({ weights, starred }) => weights && !starred);
  for (const { weights: _, ...record } of held.slice(0, -MAX_WEIGHTS)) {
    await removeWeights(record.id);
    await saveRecord(record);
  }
}
