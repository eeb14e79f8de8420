import { afterAll, beforeEach, expect, test } from 'vitest';
import { openNodeDevice } from '../../node/gpu.ts';
import { TuningResults } from '../../engine/ops/conv/choice/tuning-results.ts';
import { DeviceSupply } from '../../gpu/supply.ts';
import { shaderSource } from '../../gpu/sources.ts';
import type { FindRequest, LabEvent, LabJob, LabProgress, WorkerEvent } from '../api.ts';
import { ExclusiveGpu } from '../exclusive-gpu.ts';
import { ladderSteps, labCatalogue } from './catalogue.ts';
import { checkWgsl, kernelTexts } from './kernels.ts';
import { startJob, type JobServices } from './job.ts';

const supply = new DeviceSupply(() => openNodeDevice());
afterAll(async () => (await supply.get()).destroy());

const request: FindRequest = {
  sizes: {
    N: 2,
    C: 3,
    H: 6,
    W: 6,
    K: 4,
    R: 3,
    S: 3,
    groups: 1,
    layout: 'nchw',
    stride: [1, 1],
    padding: [1, 1],
    dilation: [1, 1],
  },
  direction: 'fprop',
  number: 'f32',
  workspace: 2 ** 20,
  algorithms: ['direct', 'gemm_1x1', 'implicit_gemm'],
};

let reported: LabProgress[];
let over: Promise<void>;
let training: boolean;
let stored: string | undefined;
let gpu: ExclusiveGpu;
let begin: (job: LabJob) => void;

beforeEach(() => {
  reported = [];
  training = false;
  stored = undefined;
  let end: () => void;
  over = new Promise((done) => (end = done));
  const store = {
    read: async () => stored,
    update: async (change: (text: string | undefined) => string) => void (stored = change(stored)),
  };
  const whilePaused = async <T>(work: () => Promise<T>) => {
    training = false;
    return work().finally(() => (training = true));
  };
  gpu = new ExclusiveGpu({ whilePaused }, () => undefined);
  const send = (sent: WorkerEvent) => {
    const event = sent as LabEvent;
    reported.push(event);
    if (event.step === 'ended') end();
  };
  const tuningResults = new TuningResults(store, {
    runtime: 'test',
    name: 'find-db',
    onFailure: (failure) => {
      throw failure;
    },
  });
  const engines = { open: () => openNodeDevice({ engine: 'cpu' }) };
  const services: JobServices = { engines, supply, gpu, tuningResults, events: { send } };
  begin = (job) => startJob(services, 1, job);
});

const ofStep = <S extends LabProgress['step']>(step: S) =>
  reported.filter((one): one is Extract<LabProgress, { step: S }> => one.step === step);

test('a race pauses training, reports each launch, ends, and lets it resume; another one is refused meanwhile', async () => {
  training = true;
  begin({ kind: 'find', requests: [request], edits: {} });
  expect(() => begin({ kind: 'find', requests: [], edits: {} })).toThrow('The Lab is benchmarking');
  expect(() => gpu.requireIdle()).toThrow('The Lab is benchmarking');
  await expect.poll(() => training).toBe(false);
  await over;
  expect(training).toBe(true);
  expect(ofStep('begun')[0]).toMatchObject({ requests: [request] });
  const [measuring] = ofStep('measuring');
  expect(measuring.problem).toMatchObject({ problem: { P: 6, Q: 6 }, flops: 2 * 2 * 4 * 36 * 3 * 9 });
  expect(measuring.absent.map(({ algorithm }) => algorithm)).toEqual(['gemm_1x1']);
  expect(ofStep('tried').length).toBeGreaterThanOrEqual(2);
  expect(ofStep('found')[0].found.best?.algorithm).toMatch(/direct|implicit_gemm/);
  expect(reported.at(-1)).toMatchObject({ step: 'ended', how: 'done' });
  gpu.requireIdle();
});

test('a race on a GPU times the CPU when the GPU is done, with what a run there would use', async () => {
  const { adapter } = await supply.get();
  begin({ kind: 'find', requests: [{ ...request, algorithms: ['direct'], cpu: true }], edits: {} });
  await over;
  const [last, ...more] = ofStep('cpu');
  expect(more).toEqual([]);
  if (adapter.cpu) expect(last).toBeUndefined();
  else {
    expect(last.cpu).toMatchObject({
      engine: expect.stringMatching(/^CPU \(WebAssembly/),
      images: 2,
      tried: { algorithm: expect.any(String), outcome: 'timed', median: expect.any(Number) },
    });
    expect(reported.slice(-3).map(({ step }) => step)).toEqual(['found', 'cpu', 'ended']);
  }
});

test('edited WGSL is measured beside the original, checked, named, and discarded when the race is over', async () => {
  const { kernels } = await supply.get();
  const edits = {
    'conv/direct/fprop': shaderSource('conv/direct/fprop').replace('var s = 0u', 'var s = 1u'),
  };
  begin({ kind: 'find', requests: [{ ...request, algorithms: ['direct', 'implicit_gemm'] }], edits });
  await over;
  const [{ found }] = ofStep('found');
  const lane = { algorithm: 'direct', launch: 'one thread per output' };
  const both = found.tried.filter(({ launch }) => launch === lane.launch);
  expect(both).toMatchObject([
    { ...lane, outcome: 'timed' },
    { ...lane, outcome: 'wrong', yours: true },
  ]);
  // Nothing else was built from the file.
  expect(found.tried.filter(({ yours }) => yours)).toHaveLength(1);
  expect(found.best).toBeDefined();
  expect(found.best?.yours).toBeUndefined();
  expect(ofStep('compiling').at(-1)).toMatchObject({ done: 1, total: 1, yours: true });
  expect(kernels.replacedNames).toEqual([]);
});

test('edited WGSL that is right is timed in turns with the original', async () => {
  const edits = { 'conv/direct/fprop': `// mine\n${shaderSource('conv/direct/fprop')}` };
  begin({ kind: 'find', requests: [{ ...request, algorithms: ['direct', 'implicit_gemm'] }], edits });
  await over;
  const [{ found }] = ofStep('found');
  const both = found.tried.filter(({ launch }) => launch === 'one thread per output');
  const [original, yours] = both.map((one) => (one.outcome === 'timed' ? one.samples : NaN));
  const others = found.tried.flatMap((one) =>
    both.includes(one) || one.outcome !== 'timed' ? [] : one.samples,
  );
  expect(original).toBe(yours);
  expect(original).toBeGreaterThan(Math.max(...others));
  expect((await supply.get()).kernels.replacedNames).toEqual([]);
});

test('edited WGSL with an error has its place, and no other variant takes its lane', async () => {
  const text = shaderSource('conv/direct/fprop');
  const line = text.split('\n').findIndex((one) => one.includes('var sum = 0.0;')) + 1;
  const edits = { 'conv/direct/fprop': text.replace('var sum = 0.0;', 'var sum = nothing;') };
  begin({ kind: 'find', requests: [{ ...request, algorithms: ['direct'] }], edits });
  await over;
  const yours = ofStep('found')[0].found.tried.filter((one) => one.yours);
  const place = `shaders/conv/direct/fprop.wgsl:${line}:`;
  expect(yours).toMatchObject([{ outcome: 'failed', reason: expect.stringContaining(place) }]);
  const choice = { algorithm: 'direct', launch: 'one thread per output' };
  const device = await supply.get();
  await expect(checkWgsl(device, request, choice, edits)).rejects.toMatchObject({
    code: 'shader',
    message: expect.stringMatching(/^shaders\/conv\/direct\/fprop\.wgsl:\d+:\d+: /),
  });
  await checkWgsl(device, request, choice, {});
});

test('an impossible request is refused, and the next one is measured', async () => {
  const impossible = { ...request, sizes: { ...request.sizes, R: 99 } };
  const small = { ...request, algorithms: ['direct'], loops: true, averageOf: 10 };
  begin({ kind: 'find', requests: [impossible, small], edits: {} });
  await over;
  expect(ofStep('refused')).toMatchObject([{ index: 0, error: { code: 'bad-input' } }]);
  expect(ofStep('found')).toMatchObject([{ index: 1 }]);
  expect(ofStep('loops')[0].spread.median).toBeGreaterThan(0);
  const [{ average }] = ofStep('average');
  expect(average).toMatchObject({ algorithm: 'direct' });
  expect(average.calls).toBeGreaterThanOrEqual(10);
  expect(average.mean).toBeGreaterThan(0);
});

test('a stopped race reports that', async () => {
  begin({ kind: 'find', requests: [request, request, request], edits: {} });
  gpu.cancel();
  await over;
  expect(training).toBe(true);
  expect(ofStep('found').length).toBeLessThan(3);
  expect(reported.at(-1)).toMatchObject({ step: 'ended', how: 'cancelled' });
});

test('tuning saves its results, and times a step before and after', async () => {
  begin({
    kind: 'tune',
    model: 'lenet5',
    batchSize: 4,
    optimizer: 'adam',
    pins: [],
    only: [0],
    exclude: [{ algorithm: 'direct', launch: 'one thread per output' }],
  });
  await over;
  expect(reported.at(-1)).toMatchObject({ step: 'ended', how: 'done' });
  const [{ uses }] = ofStep('begun');
  expect(uses.map(({ layer, direction }) => `${layer} ${direction}`)).toEqual([
    ...['conv1 fprop', 'conv1 wgrad'],
    ...['conv2 fprop', 'conv2 dgrad', 'conv2 wgrad'],
  ]);
  expect(uses[0].next.by).toBe('get');
  expect(ofStep('training-step').map(({ when }) => when)).toEqual(['before', 'after']);
  const [{ found }] = ofStep('found');
  expect(found.tried.some(({ launch }) => launch === 'one thread per output')).toBe(false);
  expect(JSON.parse(stored ?? '').entries).toHaveLength(1);
});

test('the WGSL of a launch: files unchanged, edits applied, and the input of the compiler', async () => {
  const device = await supply.get();
  const choice = { algorithm: 'direct', launch: 'one thread per output' };
  const [kernel, ...more] = await kernelTexts(device, request, choice, {});
  expect(more).toEqual([]);
  expect(kernel.files[0]).toEqual({ name: 'conv/direct/fprop', text: shaderSource('conv/direct/fprop') });
  expect(kernel.files.map(({ name }) => name)).toContain('conv/problem');
  expect(kernel.linked).toMatch(/const K(: u32)? = 4u;/);
  expect(kernel.linked).not.toMatch(/^\/\/ @import/m);
  const [edited] = await kernelTexts(device, request, choice, { 'conv/direct/fprop': '// nothing' });
  expect(edited.files[0].text).toBe('// nothing');
  expect(edited.linked).toContain('Link error');
  await expect(kernelTexts(device, request, { ...choice, launch: 'no' }, {})).rejects.toThrow(
    /no variant "no"/,
  );
});

test('the catalogue: the nine cases, the networks, and steps for the ladder', async () => {
  const { suites, ladder } = labCatalogue();
  expect(suites.map(({ name }) => name).slice(0, 6)).toEqual([
    ...['awnn', 'alexnet', 'vgg19', 'googlenet', 'resnet50', 'squeezenet'],
  ]);
  expect(suites[0].layers.map(({ name }) => name)).toHaveLength(9);
  const requests = ladder.layers.map(({ sizes }) => ({ ...request, sizes }));
  for (const steps of ladderSteps(await supply.get(), requests)) {
    expect(steps.length).toBeGreaterThan(1);
    for (const { why, launches } of steps) {
      expect(why).toMatch(/\.$/);
      expect(launches.length).toBeGreaterThan(0);
    }
  }
});
