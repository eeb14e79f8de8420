/**
 * What a run's record says is what trained it: whatever a person does on the page, in whichever order, its losses can be
 * computed again from its archive alone, to the bit.
 */
import { beforeAll, expect, test, vi } from 'vitest';
import { Random } from '../../base/random.ts';
import { datasetEntry } from '../../app/testing/dataset-entry.ts';
import { attempt, type Result } from '../../base/result.ts';
import { count, SEED } from '../../base/testing/tier.ts';
import { VERSION } from '../../base/version.ts';
import { datasetChecksum } from '../../data/checksum.ts';
import { selectImages } from '../../data/select.ts';
import { DeviceSupply } from '../../gpu/supply.ts';
import { parseModel } from '../../models/file/parse.ts';
import { toJson } from '../../models/file/write.ts';
import { openNodeDevice } from '../../node/gpu.ts';
import { settingsAt } from '../../run/settings/adjustments.ts';
import { LIVE_KEYS } from '../../run/settings/table.ts';
import { OpfsFileStore } from '../../storage/opfs.ts';
import { RunLocks } from '../../storage/run-locks.ts';
import { FakeDirectory, FakeLocks } from '../../storage/testing.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import { recomputeRun } from '../../train/recompute-run.ts';
import { begun, forkOf } from '../../train/fork.ts';
import { TrainingRun } from '../../train/run.ts';
import { dataset, tiny } from '../../train/testing/tiny-run.ts';
import type { StoredRun, WorkerApi } from '../api.ts';
import { EventSender } from '../events.ts';
import { ExclusiveGpu } from '../exclusive-gpu.ts';
import { submittedRun } from '../submission/write.ts';
import { importRun, packRun } from '../runs/archive/archive.ts';
import { readArchive, type ArchivedRun } from '../runs/archive/format.ts';
import { unpackRun } from '../runs/archive/unzip.ts';
import runsPart from '../runs/runs.part.ts';
import { RunStore } from '../runs/store.ts';
import type { Services } from '../services.ts';
import { RunConfigurations } from './run-configurations.ts';
import { Runs } from './runs.ts';
import trainPart from './train.part.ts';

const SEQUENCES = count(40, 40, 1000);
const COMMANDS = 14;

/** The page's way to its worker, which is in this process. */
const worker = vi.hoisted(() => ({ api: undefined as unknown }));
vi.mock('../../app/client.ts', () => ({
  ask: (question: (api: unknown) => Promise<Result<unknown>>) => question(worker.api),
}));

const supply = new DeviceSupply(() => openNodeDevice());
const settings = new RunConfigurations({
  supply,
  dataset: async () => dataset,
  known: async () => () => ({ entry: () => undefined }),
});

async function pageModules() {
  const [actions, start, changes, restarts, savedRun, sweep, events, runEvents, runsStore, app, own, live] =
    await Promise.all([
      import('../../app/actions/actions.ts'),
      import('../../app/actions/start.ts'),
      import('../../app/screens/train/changes/changes.ts'),
      import('../../app/screens/train/changes/restart.ts'),
      import('../../app/saved-run.ts'),
      import('../../app/screens/runs/sweep.ts'),
      import('../../app/events.ts'),
      import('../../app/screens/train/run-events.ts'),
      import('../../app/journal/runs-store.ts'),
      import('../../app/state/store.ts'),
      import('../../app/state/own-model.ts'),
      import('../../app/metrics/live.ts'),
    ]);
  runEvents.listenToRun();
  runsStore.listenToRuns();
  return { actions, start, changes, restarts, savedRun, sweep, events, runsStore, app, own, live: live.live };
}

let page: Awaited<ReturnType<typeof pageModules>>;
beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
  page = await pageModules();
});

const ENTRY = datasetEntry({
  ...{ name: dataset.name, shape: [...dataset.shape], classes: [...dataset.classes] },
  augmentation: { ...tiny().augmentation },
  counts: { train: dataset.train.count, test: dataset.test.count },
});

/** The parts of the worker that train and keep runs, as the page calls them: what it sends and gets is copied. */
function visit(files: FakeDirectory) {
  const events = new EventSender();
  events.listen({ postMessage: (event) => page.events.emit(structuredClone(event)) });
  const store = new RunStore({
    open: async () => ({
      files: new OpfsFileStore(async () => files.handle),
      locks: new RunLocks(new FakeLocks().manager),
      channel: { postMessage: () => undefined, addEventListener: () => undefined },
    }),
    send: (event) => events.send(event),
  });
  const facts = () => ({
    model: 'Tiny',
    dataset: 'Quarters',
    classes: [...dataset.classes],
    adapter: '',
    software: false,
  });
  const shipped = () => Promise.reject(new Error('no sequence starts from them'));
  const runs = new Runs({ supply, events, settings, store, facts, shipped });
  const gpu = new ExclusiveGpu(runs, () => undefined);
  const services = { gpu, runs, store, settings, events } as unknown as Services;
  const remote = <T extends object>(part: T) =>
    Object.fromEntries(
      Object.entries(part).map(([name, call]) => [
        name,
        (...given: unknown[]) =>
          attempt(async () =>
            structuredClone(await (call as (...a: unknown[]) => unknown)(...structuredClone(given))),
          ),
      ]),
    );
  const api = { train: remote(trainPart(services)), runs: remote(runsPart(services)) };
  worker.api = api as unknown as WorkerApi;
  return { runs, store };
}

/** A page that was just loaded, with these settings in its form. */
function load(form: object) {
  const { app, runsStore, own } = page;
  const { model } = tiny();
  app.useApp.setState({
    ...app.useApp.getInitialState(),
    device: 'ready',
    datasets: [ENTRY],
    ownModel: parseModel('tiny', toJson(model)),
  });
  app.useApp
    .getState()
    .change({
      model: own.OWN_MODEL,
      dataset: dataset.name,
      batchSize: '16',
      optimizer: 'sgd',
      lr: '0.05',
      epochs: '4',
      ...form,
    });
  runsStore.useRuns.setState({ ...runsStore.useRuns.getInitialState(), records: [] });
}

type Record = ArchivedRun['record'] & { id: string; points: ArchivedRun['points'] };

/** Computes the first steps of a run again, from its record and those of the runs that it was forked from. */
async function computed(of: Record, steps: number, all: ReadonlyMap<string, Record>) {
  const { config, changes = [], parent } = of;
  const plain = await settings.of({ ...config, stopAccuracy: undefined, patience: undefined });
  let made = plain;
  if (parent?.step !== undefined) {
    const { checkpoint } = await computed(all.get(parent.id) as Record, parent.step, all);
    made = begun(plain, forkOf(checkpoint as Checkpoint, plain));
  }
  const losses: number[] = [];
  const run = new TrainingRun({ ...made, adjustments: changes, lastStep: steps }, supply, {
    steps: (rows) => losses.push(...rows.map(({ loss }) => loss)),
  });
  // A rule for stopping that was set later may apply.
  while (run.steps < steps) {
    run.train();
    await run.settled();
  }
  const { checkpoint } = run;
  await run.close();
  return { losses, checkpoint };
}

async function archived(store: RunStore, { id }: StoredRun): Promise<Record> {
  const files = await unpackRun('run.zip', await packRun(store, id));
  const { record, points } = await readArchive(files, async (text) => parseModel('model.json', text));
  return { ...record, id, points };
}

/** How many runs of each kind there were: a sequence that trains nothing shows nothing. */
const seen = { changed: 0, forked: 0 };

/** One sequence of commands, and what became of it. */
async function play(random: Random, trace: string[]): Promise<void> {
  const { actions, start, changes, restarts, savedRun, sweep, live } = page;
  const { useApp } = page.app;
  const files = new FakeDirectory();
  let { runs, store } = visit(files);
  load({});
  const one = <T>(of: readonly T[]): T => of[random.below(of.length)];
  /** Now and then the next command comes while somebody may still be typing. */
  const change = (form: object) => {
    useApp.getState().change(form);
    if (random.below(3) > 0) changes.followSettings()();
  };
  const settled = async () => {
    await runs.pause();
    await new Promise((done) => setTimeout(done));
    await expect
      .poll(() => ['preparing', 'training', 'saving'].includes(useApp.getState().runState))
      .toBe(false);
  };
  const ids = async () => (await store.all()).runs.filter(({ checkpoint }) => checkpoint).map(({ id }) => id);
  const act = async (action: { obstacle(state: never): string | undefined; perform(): Promise<void> }) => {
    if (action.obstacle(useApp.getState() as never) === undefined) await action.perform();
  };
  const commands = {
    rate: async () => change({ lr: one(['0.01', '0.02', '0.1']) }),
    momentum: async () => change({ momentum: one(['0', '0.5', '0.9']) }),
    decay: async () => change({ weightDecay: one(['0', '0.01']) }),
    vary: async () => change({ augmentation: one([{}, { flip: '1' }]) }),
    length: async () => change({ epochs: one(['1', '2', '3', '']) }),
    patience: async () => change({ patience: one(['', '1']) }),
    other: async () => change(one([{ seed: '2' }, { seed: '1' }, { batchSize: '8' }, { batchSize: '16' }])),
    discard: async () => restarts.undo(),
    train: () => act(actions.train),
    pause: () => act(actions.pause),
    step: () => act(actions.stepBatch),
    stop: () => act(actions.stop),
    resume: () => act(actions.resume),
    repeat: () => act(actions.repeat),
    async restart() {
      const shown = start.nextRun(useApp.getState());
      const { runId } = useApp.getState();
      if (actions.restart.obstacle(useApp.getState()) !== undefined || !shown) return;
      await actions.restart.perform();
      expect(useApp.getState().runError).toBeUndefined();
      await actions.stepBatch.perform();
      await settled();
      expect(useApp.getState().runId).toBeGreaterThan(runId);
      const { record } = useApp.getState().runConfig ?? {};
      const { config } = await store.get(record as string);
      for (const key of [...LIVE_KEYS, 'seed', 'batchSize'] as const)
        expect(config[key], key).toEqual(shown[key]);
    },
    async fork() {
      if (runs.isAtFullSpeed || useApp.getState().runState === 'paused') await restarts.fork();
    },
    async finish() {
      if (!runs.isAtFullSpeed || useApp.getState().runConfig?.epochs === undefined) return;
      await runs.run.settled();
    },
    async sweep() {
      const { config } = start.chosenSettings(useApp.getState());
      if (config && !['preparing', 'training', 'paused', 'saving'].includes(useApp.getState().runState))
        await sweep.startSweep(config, [0.01, 0.1], [16], 1);
    },
    async reload() {
      await runs.pause();
      await runs.written();
      const { settings: form } = useApp.getState();
      const { open } = page.runsStore.useRuns.getState();
      await runs.stop();
      await runs.written();
      ({ runs, store } = visit(files));
      load(form);
      await page.runsStore.loadRuns();
      if (open && (await ids()).includes(open)) await savedRun.resumeRun(open);
    },
    async archive() {
      const id = one([...(await ids()), undefined]);
      if (!id) return;
      await settled();
      const name = await importRun(store, 'run.zip', await packRun(store, id));
      const copy = (await store.all()).runs.find((run) => run.name === name);
      await savedRun.resumeRun(copy!.id);
    },
  };
  type Name = keyof typeof commands;
  const often: Name[] = [
    'rate',
    'rate',
    'train',
    'restart',
    'step',
    'step',
    'step',
    'step',
    'pause',
    'fork',
    'repeat',
  ];
  const names: Name[] = [...(Object.keys(commands) as Name[]), ...often];
  for (let i = 0; i < COMMANDS; i++) {
    const name = i === 0 ? 'step' : one(names);
    trace.push(name);
    await commands[name]();
    // The next one comes now, or a few steps later.
    if (random.below(2) === 0) await new Promise((done) => setTimeout(done, random.below(10)));
  }
  await settled();
  await runs.written();
  const { runConfig, runState } = useApp.getState();
  if (runConfig && runState === 'paused') {
    const { start: first, adjustments } = runs.run.changes;
    const now = settingsAt(first, adjustments, runs.run.steps);
    // The form follows what a run repeats when its code is there.
    const shown = () => LIVE_KEYS.map((key) => [key, useApp.getState().runConfig?.[key]]);
    await expect.poll(shown).toEqual(LIVE_KEYS.map((key) => [key, now[key]]));
  }
  if (live.step > 0) {
    const open = await store.get(useApp.getState().runConfig?.record as string);
    expect(live.changes?.adjustments ?? [], 'changes on the screen').toEqual(open.changes ?? []);
  }
  await runs.stop();
  await runs.written();

  const { runs: kept } = await store.all();
  const records = new Map<string, Record>();
  for (const run of kept) records.set(run.id, await archived(store, run));
  for (const record of records.values()) {
    const { config, changes: made = [], points, step } = record;
    expect([...points.step], record.name).toEqual(Array.from({ length: step }, (_, i) => i + 1));
    for (const { step: at } of made) expect(at).toBeLessThan(step);
    const { losses } = await computed(record, step, records);
    expect([...points.loss!], `${record.name}: losses`).toEqual(losses.map(Math.fround));
    const rates = losses.map((_, i) => Math.fround(settingsAt(config, made, i).lr));
    expect([...points.learningRate!].map(Math.fround), `${record.name}: rates`).toEqual(rates);
  }
  for (const { changes: made, parent } of kept) {
    if (made) seen.changed++;
    if (parent?.step !== undefined) seen.forked++;
  }
  const last = kept.findLast(({ config, parent }) => !config.start && parent?.step === undefined);
  if (!last) return;
  const get = async () => dataset;
  const submitted = await submittedRun(
    { datasets: { get }, runs, store } as never,
    last.id,
    last.step,
    'cpu',
  );
  const tools = {
    supply,
    dataset: get,
    checksum: datasetChecksum,
    select: selectImages,
    weights: () => Promise.reject(),
  };
  expect(await recomputeRun(submitted, VERSION, undefined, tools as never)).toEqual({
    how: 'confirmed',
    steps: last.step,
    compared: last.step,
  });
}

test(`${SEQUENCES} sequences of commands, seed ${SEED}`, async () => {
  for (let i = 0; i < SEQUENCES; i++) {
    const trace: string[] = [];
    try {
      await play(new Random(SEED, `records ${i}`), trace);
    } catch (error) {
      console.log(`sequence ${i} of seed ${SEED}: ${trace.join(' ')}`);
      throw error;
    }
  }
  // Whatever the seed, some runs were changed, and some began with another's weights.
  for (const kind of ['changed', 'forked'] as const) expect(seen[kind], kind).toBeGreaterThan(0);
});
