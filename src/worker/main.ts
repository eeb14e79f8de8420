/** The worker: everything that computes. The page speaks to it by Comlink, which only this file knows of. */
import { expose } from 'comlink';
import { assert } from '../base/assert.ts';
import { lazily } from '../base/lazily.ts';
import { attempt, Failure, type Result } from '../base/result.ts';
import type { Device } from '../gpu/device.ts';
import { DeviceSupply, type SupplyEvent } from '../gpu/supply.ts';
import type { FileStore } from '../storage/file-store.ts';
import { readFindDb, updateFindDb } from '../storage/find-db.ts';
import { MemoryFileStore } from '../storage/memory.ts';
import { openRunPlaces } from '../storage/run-places.ts';
import { openOpfs } from '../storage/opfs.ts';
import { toJson } from '../models/file/write.ts';
import type { AdapterSummary, DoctorEvent, WorkerApi } from './api.ts';
import {
  datasetEntries,
  modelEntries,
  OPTIMIZER_ENTRIES,
  presetEntries,
  scheduleEntries,
} from './catalogue.ts';
import { Datasets } from './data/datasets.ts';
import { decodePicture } from './data/decode.ts';
import { parseModel } from '../models/file/parse.ts';
import { fittedEntry, modelOf } from './builder/choice.ts';
import { EventSender } from './events.ts';
import { FoundKeeper } from './lab/found.ts';
import { Lab } from './lab/lab.ts';
import { Keeping } from './train/keeping.ts';
import { RunSettings } from './train/run-settings.ts';
import { Runs } from './train/runs.ts';
import { Solo } from './solo.ts';

// What a first training does without; fetched when it is first asked for.
const building = lazily(() => import('./builder/builder.ts'));
const inspecting = lazily(() => import('./inspect/inspect.ts'));
const measuring = lazily(() => import('./lab/measuring.ts'));
const profiling = lazily(() => import('./profile/profile.ts'));
const folding = lazily(() => import('./builder/fold.ts'));
const examining = lazily(() => import('./doctor/doctor.ts'));
const archiving = lazily(() => import('./runs/archive.ts'));

const events = new EventSender();
const supply = new DeviceSupply(() => navigator.gpu as GPU | undefined, tellOfDevice);
const keeper = new FoundKeeper({ read: readFindDb, update: updateFindDb }, navigator.userAgent);
const keeping = new Keeping({
  open: openRunPlaces,
  onWritten: ({ step }) => events.send({ type: 'kept', runId: runs.id, step }),
  onFailure: ({ value }) => events.send({ type: 'kept', runId: runs.id, step: 0, error: value }),
});
const settings = new RunSettings({
  supply,
  dataset: (name) => data().get(name),
  known: async () => {
    await keeper.load();
    return (device) => keeper.knownOn(device);
  },
});
const runs = new Runs({ supply, events, settings, keeping });
const lab = new Lab({
  supply,
  keeper,
  send: (event) => events.send(event),
  pauseTraining: () => runs.pause(),
});
const solo = new Solo({ rest: () => runs.pause(), goOn: () => runs.goOn() });
let datasets: Datasets | undefined;

const api: WorkerApi = {
  async listen(port, pageUrl) {
    events.listen(port);
    datasets = new Datasets({
      store: openStore(),
      pageUrl,
      fetch: (...request) => fetch(...request),
      decode: decodePicture,
      onStatus: (name, status) => events.send({ type: 'dataset', name, status }),
    });
  },
  connect: () => attempt(async () => summaryOf(await supply.get())),
  async catalogue() {
    const statusOf = await data().statusOf();
    return {
      presets: presetEntries(),
      schedules: scheduleEntries(),
      models: modelEntries(),
      datasets: datasetEntries(await data().infos(), statusOf),
      optimizers: OPTIMIZER_ENTRIES,
    };
  },
  fetchDataset: (name) => attempt(() => data().fetch(name)),
  cancelDownload: async (name) => data().cancel(name),
  importDataset: (name, files) => attempt(() => data().import(name, files)),
  takeOwn: (request) => attempt(() => data().takeOwn(request)),
  removeDataset: (name) => attempt(() => data().remove(name)),
  samples: (name, count, varied) => attempt(() => data().samples(name, count, varied)),
  memory: (config) => attempt(() => settings.memory(config)),
  train: (config) => attempt(() => alone(() => runs.train(config))),
  pause: async () => void (await runs.pause()),
  stepBatch: (config) => attempt(() => alone(() => runs.stepBatch(config))),
  restart: () => attempt(() => alone(() => runs.restart())),
  stop: () => runs.stop(),
  adjust: (changes) => attempt(() => runs.adjust(changes)),
  keptRun: (wanted) => attempt(() => keeping.entry(wanted)),
  resumeRun: (id) => attempt(() => alone(() => runs.resume(id))),
  forgetRun: (id) => attempt(() => keeping.forget(id)),
  goBack: (lr) => attempt(() => alone(() => runs.goBack(lr))),
  predict: (image) => attempt(() => runs.predict(image)),
  evaluateNow: () => attempt(() => alone(() => runs.evaluate())),
  judgedSamples: (query) =>
    asked(inspecting, ({ judgedSamples }) =>
      judgedSamples(runs.session.config.dataset, runs.requireEvaluated(), query),
    ),
  look: (request) => asked(inspecting, ({ look }) => look(runs.session, request)),
  firing: (layer) => asked(inspecting, ({ firing }) => firing(runs.session, layer)),
  firstFilters: () => asked(inspecting, ({ firstFilters }) => firstFilters(runs.session)),
  seenBatch: (first, count) => asked(inspecting, ({ seenBatch }) => seenBatch(runs.session, first, count)),
  buildCatalogue: () => asked(building, ({ buildCatalogue }) => buildCatalogue()),
  describeModel: (model) => asked(building, ({ describeModel }) => describeModel(model)),
  modelFor: (model, images) => attempt(() => fittedEntry(model, images)),
  modelCode: (model, language) => asked(building, ({ modelCode }) => modelCode(model, language)),
  readModel: (name, text) => attempt(() => parseModel(name, text)),
  runWeights: () => attempt(() => runs.weights()),
  bringWeights: (id, bytes) =>
    asked(archiving, ({ readWeights }) => runs.starts.bring(id, readWeights(bytes))),
  holdWeights: (id) => attempt(() => alone(() => runs.holdWeights(id))),
  packRun: (files) => asked(archiving, ({ packRun }) => packRun(files)),
  unpackRun: (name, bytes) => asked(archiving, ({ unpackRun }) => unpackRun(name, bytes)),
  modelFile: (model) => attempt(() => toJson(modelOf(model))),
  loseDevice: async () => (await supply.get()).destroy(),
  async ledger() {
    const { buffers, bytes } = (await supply.get()).ledger;
    return { buffers, bytes };
  },
  labCatalogue: () => asked(measuring, ({ labCatalogue }) => labCatalogue()),
  checkProblem: (sizes) => asked(measuring, ({ problemSummary }) => problemSummary(sizes)),
  modelUses: (model, batchSize, pins) =>
    asked(measuring, async ({ layerUses }) => {
      const device = await supply.get();
      await keeper.load();
      return layerUses(device, modelOf(model), batchSize, pins, keeper.knownOn(device));
    }),
  beginLab: (job, what) =>
    attempt(() => {
      solo.requireIdle();
      lab.begin(job, what);
    }),
  cancelLab: async () => lab.cancel(),
  predictChoices: (requests) =>
    asked(measuring, async ({ predictChoices }) => predictChoices(await supply.get(), requests)),
  ladderSteps: (requests) =>
    asked(measuring, async ({ ladderSteps }) => ladderSteps(await supply.get(), requests)),
  exportFound: () => keeper.export(),
  importFound: (name, text) => attempt(() => keeper.import(name, text)),
  forgetFound: () => attempt(async () => keeper.forget(await supply.get())),
  kernelTexts: (request, choice, edits) =>
    asked(measuring, async ({ kernelTexts }) => kernelTexts(await supply.get(), request, choice, edits)),
  profileStep: (config) =>
    studied(async (goOn) => {
      const { profileRun } = await profiling();
      const outline = await settings.outlineOf(config);
      const choices = runs.openAs(config)?.choices;
      return profileRun(await supply.get(), { ...outline, ...(choices ? { choices } : {}) }, (progress) => {
        events.send({ type: 'profile', ...progress });
        return goOn();
      });
    }),
  foldModel: () => studied(async () => (await folding()).foldReport(runs.session)),
  doctorChecks: () => asked(examining, ({ doctorChecks }) => doctorChecks()),
  examine: (config) =>
    studied(async (goOn) => {
      const { examineRun } = await examining();
      const open = runs.openAs(config);
      const trained =
        open && open.steps > 0 ? { step: open.steps, weights: await open.stateDict() } : undefined;
      const tell = (event: DoctorEvent) => events.send(event);
      const run = await settings.of(config);
      const findings = await examineRun(await supply.get(), run, trained?.weights, goOn, tell);
      return { findings, ...(trained ? { step: trained.step } : {}) };
    }),
  cancelStudy: async () => solo.cancel(),
};
expose(api);

/** Asks a part of the worker, which may have to be fetched first. */
const asked = <Part, T>(
  part: () => Promise<Part>,
  question: (part: Part) => T | Promise<T>,
): Promise<Result<T>> => attempt(async () => question(await part()));

/** Does what trains, unless something is measured. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  lab.requireIdle();
  solo.requireIdle();
  return work();
}

/** Does what needs the GPU to itself. */
const studied = <T>(work: (goOn: () => boolean) => Promise<T>): Promise<Result<T>> =>
  attempt(() => {
    lab.requireIdle();
    return solo.run(work);
  });

function data(): Datasets {
  assert(datasets !== undefined, 'the worker was asked for data before `listen`');
  return datasets;
}

/** The browser's private files, or memory where it refuses them, as some do in private windows. */
async function openStore(): Promise<FileStore> {
  try {
    return await openOpfs();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return new MemoryFileStore();
  }
}

function tellOfDevice(event: SupplyEvent): void {
  switch (event.state) {
    case 'ready':
      events.send({ type: 'device', state: 'ready', adapter: summaryOf(event.device) });
      return;
    case 'lost':
      events.send({
        type: 'device',
        state: 'lost',
        error: { code: 'device-lost', message: `The GPU device was lost: ${event.reason}` },
      });
      // Also when nothing trains, so that the next press of Train finds one. A refusal is told as 'unavailable'.
      supply.get().catch(() => undefined);
      return;
    case 'recovering':
      events.send({ type: 'device', state: 'recovering' });
      return;
    case 'unavailable':
      events.send({ type: 'device', state: 'unavailable', error: event.failure.value });
      return;
  }
}

function summaryOf({ adapter, generation, hasTimestamps }: Device): AdapterSummary {
  return { ...adapter, timestamps: hasTimestamps, generation };
}
