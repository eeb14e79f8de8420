import { describe, expect, test } from 'vitest';
import { FindDb, environmentOf, type DbEntry } from '../engine/ops/conv/choice/db.ts';
import { find } from '../engine/ops/conv/choice/find.ts';
import { convLayers, type ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import { familyOf } from '../engine/ops/conv/choice/rules.ts';
import { fetchShaders } from '../gpu/sources.ts';
import type { Model } from '../models/model.ts';
import { resumedConfig, type Checkpoint } from './checkpoint.ts';
import type { TrainingConfig } from './config.ts';
import { chooseConvolutions } from './options.ts';
import type { TrainingRun } from './run.ts';
import { recorded, cleanSupply, dataset, tiny } from './testing/tiny-run.ts';

const supply = cleanSupply();

const direct = { algorithm: 'direct', by: 'pin' };

const convLayer = (name: string, filter: number, stride = 1) => ({
  name,
  op: 'conv',
  attributes: {
    outChannels: 4,
    kernelSize: [filter, filter],
    padding: [(filter - 1) / 2, (filter - 1) / 2],
    stride: [stride, stride],
  },
});

/** The dispatches of the training step, by label: "conv fprop". */
const shadersOf = (run: TrainingRun) =>
  Object.fromEntries(
    run['slot']['trainer']?.plan.dispatches.map(({ label, kernel }) => [label, kernel.source.shader]) ?? [],
  );

test('a run chooses once, and keeps its choices through restarts and a loss of the device', async () => {
  const asked: number[] = [];
  let lost = false;
  const pins = [{ layer: 'conv', direction: 'fprop', algorithm: 'direct' } as const];
  const known = (device: { generation: number }) => {
    asked.push(device.generation);
    return new FindDb().at({ adapter: '', runtime: '', kernels: '' });
  };
  const { run, record } = recorded(tiny({ lastStep: 30, pins, known }), supply, (last) => {
    if (last < 7 || lost) return;
    lost = true;
    void supply.get().then((device) => device.destroy());
  });
  expect(run.choices).toBeUndefined();
  run.train();
  await run.settled();
  expect(record.states.filter(({ state }) => state === 'recovering')).toHaveLength(1);
  const { choices } = run;
  const { adapter } = await supply.get();
  expect(choices?.layers).toMatchObject({
    conv: { fprop: direct, wgrad: { algorithm: adapter.cpu ? 'direct' : 'implicit_gemm', by: 'get' } },
  });
  expect(shadersOf(run)).toMatchObject({ 'conv fprop': expect.stringMatching(/^conv\/direct\//) as string });
  // Nothing computes the images' gradient.
  expect(choices?.layers['conv'].dgrad).toBeUndefined();
  await run.restart();
  await run.settled();
  expect(run.choices).toBe(choices);
  expect(record.choices).toEqual([choices]);
  expect(asked).toHaveLength(1);
  const { losses } = record;
  await run.close();

  // Exported with the run and passed in again as JSON: the same bits, whatever tuning results or pins exist now.
  const copy = JSON.parse(JSON.stringify(choices)) as ConvChoices;
  const again = recorded(
    tiny({ lastStep: 30, choices: copy, pins: [{ algorithm: 'implicit_gemm' }] }),
    supply,
  );
  again.run.train();
  await again.run.settled();
  expect(again.record.losses).toEqual(losses);
  expect(again.run.choices).toEqual(choices);
  await again.run.close();
});

test('a run uses what a search found', async () => {
  const device = await supply.get();
  const config = tiny({ lastStep: 1 });
  const db = new FindDb();
  await fetchShaders();
  const place = environmentOf(device, 'tests');
  for (const { problem, directions } of convLayers(config.model.layers, [16, 1, 8, 8])) {
    for (const direction of directions) {
      // Whatever is faster here: the run must use what it is given.
      db.record(place, await find(device, problem, direction, { algorithms: ['direct'], minimumMs: 0.1 }));
    }
  }
  const known = (now: typeof device) => db.at(environmentOf(now, 'tests'));
  const { run } = recorded({ ...config, known }, supply);
  run.train();
  await run.settled();
  const found = { algorithm: 'direct', by: 'find' };
  expect(run.choices?.layers).toMatchObject({ conv: { fprop: found, wgrad: found } });
  await run.close();
});

test.each([
  [
    'of a layer that is not there',
    [{ layer: 'conv9', algorithm: 'direct' }],
    /no convolution is named "conv9"/,
  ],
  ['to an algorithm that is not there', [{ algorithm: 'magic' }], /no convolution algorithm named "magic"/],
  [
    'to what cannot be done',
    [{ algorithm: 'gemm_1x1' }],
    /^conv fprop: gemm_1x1 does not support this layer: /,
  ],
  ['to a launch that is not there', [{ algorithm: 'direct', launch: 'x' }], /direct has no variant "x"/],
])('a pin %s fails the run', async (_, pins, message) => {
  const { run, record } = recorded(tiny({ pins }), supply);
  run.train();
  await run.settled();
  const text = expect.stringMatching(message) as string;
  expect(record.states.at(-1)).toMatchObject({ state: 'failed', message: text });
  await run.close();
});

const trainedWith = async (change: Partial<TrainingConfig>) => {
  const { run, record } = recorded(tiny({ lastStep: 20, ...change }), supply);
  run.train();
  await run.settled();
  const last = record.states.at(-1);
  const { choices, checkpoint } = run;
  await run.close();
  return { last, record, choices, checkpoint };
};

describe('by the rules', () => {
  const model: Model = {
    ...tiny().model,
    layers: [
      convLayer('same', 3),
      convLayer('strided', 3, 2),
      convLayer('wide', 5),
      ...tiny().model.layers.slice(1),
    ],
  };
  /** More than 32 images: 4x4 pixels are small. */
  const config = { model, batchSize: 40 };
  const familiesOf = (choices: ConvChoices | undefined, layer: string) =>
    Object.values(choices?.layers[layer] ?? {}).map(({ algorithm, by }) => `${familyOf(algorithm)} ${by}`);

  test('every direction takes its family, and the prediction where the family cannot', async () => {
    const { last, record, choices, checkpoint } = await trainedWith({ ...config, convAlgorithm: 'rules' });
    expect(last).toMatchObject({ state: 'paused', step: 20 });
    expect(familiesOf(choices, 'same')).toEqual(['Winograd rules', 'Winograd rules']);
    expect(familiesOf(choices, 'wide')).toEqual(['GEMM rules', 'GEMM rules', 'GEMM rules']);
    for (const { by } of Object.values(choices?.layers['strided'] ?? {})) expect(by).toBe('get');
    expect(record.choices).toEqual([choices]);
    expect(checkpoint?.config).toMatchObject({ convAlgorithm: 'rules', choices });

    const pixels = await trainedWith({ ...config, convAlgorithm: 'rules-pixels' });
    expect(familiesOf(pixels.choices, 'wide')[0]).toBe('Winograd rules');
    const plain = await trainedWith({ ...config, convAlgorithm: 'direct' });
    for (const { losses } of [record, pixels.record])
      losses.forEach((loss, step) => expect(loss).toBeCloseTo(plain.record.losses[step], 4));
  });

  test('a resumed run keeps its choices, to the bit', async () => {
    const whole = await trainedWith({ ...config, convAlgorithm: 'rules' });
    const { checkpoint } = await trainedWith({ ...config, convAlgorithm: 'rules', lastStep: 8 });
    // As if another version read the rules differently.
    const resumed = resumedConfig(checkpoint as Checkpoint, dataset, { lastStep: 20, convAlgorithm: 'auto' });
    const rest = recorded(resumed, supply);
    rest.run.train();
    await rest.run.settled();
    expect(rest.run.choices).toEqual(whole.choices);
    expect(rest.record.losses.slice(8)).toEqual(whole.record.losses.slice(8));
    await rest.run.close();
  });

  test('pins come first, tuning results do not count, and excluded launches are not taken', async () => {
    const device = await supply.get();
    const [first] = Object.values(
      (await trainedWith({ ...config, convAlgorithm: 'rules' })).choices?.layers['wide'] ?? {},
    );
    const entry = { best: { algorithm: 'direct', launch: 'x' }, quarantine: [first] } as unknown as DbEntry;
    const choices = chooseConvolutions(device, {
      ...tiny(config),
      convAlgorithm: 'rules',
      known: () => ({ entry: () => entry }),
      pins: [{ layer: 'wide', direction: 'wgrad', algorithm: 'direct' }],
    });
    expect(choices.layers['wide'].wgrad).toMatchObject(direct);
    const { fprop } = choices.layers['wide'];
    expect(fprop).toMatchObject({ by: 'rules' });
    expect(fprop?.launch).not.toBe(first.launch);
  });

  test('what does not exist here is chosen again by them', async () => {
    const { choices: made } = await trainedWith({ ...config, convAlgorithm: 'rules' });
    const gone = { algorithm: 'gone', launch: 'x', by: 'rules' } as const;
    const other = { ...made, layers: { ...made?.layers, wide: { fprop: gone } } } as ConvChoices;
    const { choices } = await trainedWith({ ...config, convAlgorithm: 'rules', choices: other });
    expect(choices).toEqual(made);
  });
});

describe('choices of another device or version', () => {
  const madeHere = async (conv: ConvChoices['layers'][string]): Promise<ConvChoices> => ({
    workspace: 2 ** 26,
    ...((await supply.get()).adapter.cpu ? { cpu: true } : {}),
    layers: { conv },
  });
  const other = { launch: 'of another time', by: 'find' } as const;

  test.each([
    ['a variant', { algorithm: 'direct', ...other }],
    ['an algorithm', { algorithm: 'of another time', ...other }],
  ])('that name %s which does not exist here are made again, with a word', async (_, fprop) => {
    const plain = await trainedWith({ pins: [{ algorithm: 'direct' }] });
    const wgrad = plain.choices?.layers['conv'].wgrad;
    const { last, record, choices, checkpoint } = await trainedWith({
      choices: await madeHere({ fprop, ...(wgrad ? { wgrad } : {}) }),
    });
    expect(last).toMatchObject({ state: 'paused', step: 20 });
    expect(choices?.layers['conv']).toMatchObject({ fprop: { by: 'get' }, wgrad });
    expect(record.notices).toEqual([
      expect.stringMatching(/^The algorithms that were chosen for conv fprop do not exist .* chosen again/),
    ]);
    expect(record.choices).toEqual([choices]);
    expect(checkpoint?.config.choices).toEqual(choices);
  });

  test('that lack a layer are completed', async () => {
    const { last, record } = await trainedWith({ choices: { ...(await madeHere({})), layers: {} } });
    expect(last).toMatchObject({ state: 'paused', step: 20 });
    expect(record.notices[0]).toMatch(
      /^The algorithms that were chosen for conv fprop and 1 other convolution do/,
    );
  });

  test('with pins of the other engine are made again, without those that do not exist here', async () => {
    const made = await madeHere({ fprop: { algorithm: 'direct', ...other } });
    const { last, record } = await trainedWith({
      choices: { ...made, cpu: !made.cpu },
      pins: [{ layer: 'conv', direction: 'fprop', algorithm: 'direct', launch: 'of another time' }],
    });
    expect(last).toMatchObject({ state: 'paused', step: 20 });
    expect(record.notices).toHaveLength(1);
  });

  test('in tuning results are predicted instead, with a word', async () => {
    const best = { algorithm: 'direct', launch: 'of another time' };
    const entry = { best, quarantine: [] } as unknown as DbEntry;
    const { last, record } = await trainedWith({ known: () => ({ entry: () => entry }) });
    expect(last).toMatchObject({ state: 'paused', step: 20 });
    expect(record.notices[0]).toMatch(/chosen for conv fprop and 1 other convolution do not exist/);
  });
});

describe('a shader that does not compile on this device', () => {
  const broken = async (shader: string, work: () => Promise<void>) => {
    const { kernels } = await supply.get();
    await fetchShaders();
    kernels.replaceSource(shader, `${kernels.sourceOf(shader)}\nfn broken() -> f32 { return ); }\n`);
    try {
      await work();
    } finally {
      kernels.replaceSource(shader, undefined);
    }
  };
  const pins = [{ layer: 'conv', direction: 'fprop', algorithm: 'implicit_gemm' }] as const;

  test('makes training fall back to direct convolution, with the file and line', async () => {
    const plain = await trainedWith({ pins: [{ algorithm: 'direct' }] });
    await broken('conv/implicit_gemm/fprop', async () => {
      const { last, record, choices } = await trainedWith({ pins: [...pins, { algorithm: 'direct' }] });
      expect(last).toMatchObject({ state: 'paused', step: 20 });
      expect(choices?.layers).toMatchObject({ conv: { fprop: { algorithm: 'direct' } } });
      expect(record.notices).toEqual([
        expect.stringMatching(
          /^conv fprop uses direct convolution, because .* shaders\/conv\/implicit_gemm\/fprop\.wgsl:\d+:\d+: /,
        ),
      ]);
      expect(record.losses).toEqual(plain.record.losses);
    });
  });

  test('ends the run where direct convolution needs it too', async () => {
    await broken('common/index', async () => {
      const { last } = await trainedWith({});
      expect(last).toMatchObject({
        state: 'failed',
        code: 'shader',
        message: expect.stringMatching(/shaders\/common\/index\.wgsl:\d+:\d+: /) as string,
      });
    });
  });
});
