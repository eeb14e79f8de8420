/** Long sums outside of convolutions, of one sign: every kernel adds up parts first. See ops/conv/long-sums.cpu.test.ts. */
import { describe, expect, test } from 'vitest';
import { ROUNDOFF } from './error-bound.ts';
import { sumsOfSquares } from './gradients/index.ts';
import { softmaxConfidences, softmaxCrossEntropy } from './loss/index.ts';
import { crossEntropyForward } from './loss/reference.ts';
import type { Layer } from './network.ts';
import { inferShapes, layoutParameters } from './network.ts';
import { forwardOutputs, parameterGradients } from './reference/network.ts';
import { packStep, stepSlotBytes } from './step.ts';
import { compare } from './testing/check.ts';
import { labels, normals } from './testing/fixtures.ts';
import { asIfOn, runPlan } from './testing/gpu.ts';
import { planCopy, runNetwork } from './testing/network.ts';
import type { Shape } from '../base/shape.ts';

const LONG = 65537;
/** Of a result, in roundoffs. */
const MOST = 40;

const positive = (seed: number, shape: Shape) => {
  const { data } = normals(seed, shape);
  return { shape, data: data.map((value) => Math.abs(value)) };
};

/** One layer between a linear one, which gives it a gradient, and the output. */
const NETWORKS: Readonly<Record<string, { input: Shape; layers: Layer[] }>> = {
  'linear layer, many inputs': {
    input: [2, LONG, 1, 1],
    layers: [
      { name: 'flat', op: 'flatten' },
      { name: 'fc', op: 'linear', attributes: { outFeatures: 3 } },
    ],
  },
  'linear layer, many samples': {
    input: [LONG, 2, 1, 1],
    layers: [
      { name: 'flat', op: 'flatten' },
      { name: 'fc', op: 'linear', attributes: { outFeatures: 3 } },
    ],
  },
  'average of a large image': {
    input: [1, 2, 257, 256],
    layers: [{ name: 'pool', op: 'adaptive_avg_pool', attributes: { outputSize: [1, 1] } }],
  },
  'average over a large window': {
    input: [1, 1, 257, 256],
    layers: [{ name: 'pool', op: 'avg_pool', attributes: { kernelSize: [257, 256] } }],
  },
  'gradient of many windows': {
    input: [1, 1, 300, 300],
    layers: [
      { name: 'point', op: 'conv', attributes: { outChannels: 1, kernelSize: [300, 300] } },
      { name: 'pool', op: 'adaptive_avg_pool', attributes: { outputSize: [257, 256] } },
    ],
  },
};

describe.each(['the processor', 'SwiftShader', 'a GPU'] as const)('as on %s', (device) => {
  const run = <T>(work: () => Promise<T>) => (device === 'the processor' ? work() : asIfOn(device, work));

  test.each(Object.entries(NETWORKS))('%s', async (_, { input, layers }) => {
    const shapes = inferShapes(layers, input);
    const { entries } = layoutParameters(shapes);
    const x = positive(1, input);
    const dy = positive(2, shapes[shapes.length - 1].output);
    const parameters = Object.fromEntries(
      entries.map(({ name, shape }, i) => [name, positive(i + 3, shape)]),
    );
    const { found } = await run(() => runNetwork(layers, { x, dy, parameters }));
    const numbers = (name: string) => Float64Array.from(parameters[name].data);
    const outputs = forwardOutputs(shapes, Float64Array.from(x.data), numbers);
    const gradients = parameterGradients(shapes, outputs, Float64Array.from(dy.data));
    const errors = { y: compare(found['y'], outputs[outputs.length - 1].y).error / ROUNDOFF } as Record<
      string,
      number
    >;
    for (const [name, exact] of gradients) errors[name] = compare(found[`d ${name}`], exact).error / ROUNDOFF;
    for (const [name, error] of Object.entries(errors)) expect(error, name).toBeLessThan(MOST);
  });

  test.each([
    [LONG, 2],
    [2, LONG],
  ])('loss of %i samples of %i classes', async (rows, classes) => {
    const logits = positive(1, [rows, classes]);
    const wanted = labels(2, rows, classes);
    const slotBytes = stepSlotBytes(rows);
    const data = new Uint8Array(slotBytes);
    packStep(new DataView(data.buffer), 0, { metricsSlot: 0, indices: new Uint32Array(rows) });
    const { metrics, confidences } = await run(() =>
      runPlan({
        inputs: { logits, labels: wanted },
        outputs: { gradient: [rows, classes], metrics: [2], confidences: [rows] },
        step: { data, slotBytes },
        build(plan, t) {
          softmaxCrossEntropy(plan, {
            logits: t.logits,
            labels: t.labels,
            gradient: t.gradient,
            metrics: t.metrics,
          });
          planCopy(plan, softmaxConfidences(plan, t.logits), t.confidences);
        },
      }),
    );
    const total = rows * crossEntropyForward(Float64Array.from(logits.data), wanted.data, classes).loss;
    expect(Math.abs(metrics[0] / total - 1) / ROUNDOFF, 'loss').toBeLessThan(MOST);
    const exact = Array.from({ length: rows }, (_, row) => {
      const some = Array.from(logits.data.subarray(row * classes, (row + 1) * classes));
      const most = some.reduce((a, b) => Math.max(a, b));
      return 1 / some.reduce((sum, logit) => sum + Math.exp(logit - most), 0);
    });
    expect(compare(confidences, Float64Array.from(exact)).error / ROUNDOFF).toBeLessThan(MOST);
  });

  test('squares of gradients', async () => {
    const slotBytes = stepSlotBytes(0);
    const step = { slotBytes, data: new Uint8Array(slotBytes) };
    packStep(new DataView(step.data.buffer), 0, { metricsSlot: 0, indices: new Uint32Array() });
    const gradients = positive(1, [33 * LONG]);
    let parts = 0;
    const { sums } = await run(() =>
      runPlan({
        inputs: { gradients },
        outputs: { sums: [1024] },
        step,
        build(plan, t) {
          const found = sumsOfSquares(plan, t.gradients, undefined);
          ({ parts } = found);
          plan.dispatch({
            label: 'copy',
            kernel: { shader: 'concat/copy', constants: { RUN: parts } },
            tensors: { x: found.sums, y: t.sums },
            uniforms: { count: parts },
            workgroups: [16, 1, 1],
          });
        },
      }),
    );
    const total = gradients.data.reduce((sum, value) => sum + value * value, 0);
    const found = Float64Array.from(sums.subarray(0, parts)).reduce((sum, value) => sum + value, 0);
    expect(Math.abs(found / total - 1) / ROUNDOFF).toBeLessThan(MOST);
  });
});
