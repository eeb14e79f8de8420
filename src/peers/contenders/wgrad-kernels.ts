/** LeNet by hand on wgrad's kernels: buffers, bind groups and lists of dispatches, and nothing that plans them. */
import { softmax } from '../../base/softmax.ts';
import { openDevice, type Device } from '../../gpu/device.ts';
import { packUniforms, takesTensor } from '../../gpu/interface.ts';
import { STEP_GROUP } from '../../gpu/kernels.ts';
import type { BufferRange } from '../../gpu/ledger.ts';
import { wholeBuffer } from '../../gpu/ledger.ts';
import type { Constants } from '../../gpu/link.ts';
import { Readback } from '../../gpu/readback.ts';
import type { Contender } from '../contender.ts';
import { gpuOf } from '../gpu.ts';

type Ranges = Readonly<Record<string, BufferRange>>;

/** Values per image. `at1` and `at2` are the places of the maxima. */
const ACTIVATIONS = {
  ...{ x: 784, y1: 4704, p1: 1176, at1: 1176, y2: 1600, p2: 400, at2: 400 },
  ...{ h1: 120, h2: 84, logits: 10 },
};
const SQUARES = { R: 5, S: 5, HAS_BIAS: true };
const CONV1 = { ...SQUARES, C: 1, H: 28, W: 28, K: 6, P: 28, Q: 28, PADDING_TOP: 2, PADDING_LEFT: 2 };
const CONV2 = { ...SQUARES, C: 6, H: 14, W: 14, K: 16, P: 10, Q: 10 };
const HALVES = { R: 2, S: 2, STRIDE_V: 2, STRIDE_H: 2 };
const POOL1 = { ...HALVES, H: 28, W: 28, P: 14, Q: 14 };
const POOL2 = { ...HALVES, H: 10, W: 10, P: 5, Q: 5 };
/** Four rows and columns per thread, eight threads across, and eight that share each sum. */
const TILE = { TM: 4, TN: 1, WX: 8, WY: 1, WK: 8, STAGED: false, SPLIT: true };
const tiles = (rows: number, columns: number) => Math.ceil(rows / 4) * Math.ceil(columns / 32);
const threads = (count: number, each = 64) => Math.ceil(count / each);

interface Dispatch {
  pipeline: GPUComputePipeline;
  groups: readonly GPUBindGroup[];
  workgroups: number;
}

const wgradKernels: Contender = {
  async open(backend, { weights, train, batchSize, learningRate }) {
    const device = await openDevice(await gpuOf(backend));
    const { ledger, queue, raw } = device;
    const readback = new Readback(device);
    const room = async (label: string, count: number) => wholeBuffer(await ledger.storage(label, 4 * count));
    const activations = async (N: number): Promise<Ranges> => {
      const made = Object.entries(ACTIVATIONS).map(async ([name, count]) => [
        name,
        await room(name, N * count),
      ]);
      return Object.fromEntries(await Promise.all(made));
    };

    // All parameters in one buffer and all gradients in another, so that one dispatch updates them.
    const places = new Map<string, { offset: number; bytes: number }>();
    let count = 0;
    for (const [name, { data }] of weights) {
      places.set(name, { offset: 4 * count, bytes: 4 * data.length });
      count += 64 * Math.ceil(data.length / 64);
    }
    const [parameters, gradients, momentum] = [
      await room('w', count),
      await room('dw', count),
      await room('m', count),
    ];
    for (const [name, { data }] of weights)
      queue.writeBuffer(parameters.buffer.raw, places.get(name)?.offset ?? 0, Float32Array.from(data));
    const part = ({ buffer }: BufferRange, name: string) => ({
      buffer,
      offset: 0,
      bytes: 0,
      ...places.get(name),
    });
    const weight = (layer: string) => part(parameters, `${layer}.weight`);
    const bias = (layer: string) => part(parameters, `${layer}.bias`);
    const own = (layer: string) => ({
      dw: part(gradients, `${layer}.weight`),
      db: part(gradients, `${layer}.bias`),
    });

    const forward = (N: number, { x, y1, p1, at1, y2, p2, at2, h1, h2, logits }: Ranges) => {
      const conv = (layer: string, sizes: typeof CONV2, from: BufferRange, y: BufferRange) =>
        dispatch(
          device,
          'conv/direct/fprop',
          { ...sizes, RELU: true },
          { N },
          threads(N * sizes.K * sizes.P * sizes.Q),
          { ...{ x: from, w: weight(layer), bias: bias(layer), y } },
        );
      const pool = (
        sizes: typeof POOL1,
        windows: number,
        from: BufferRange,
        y: BufferRange,
        argmax: BufferRange,
      ) =>
        dispatch(device, 'pooling/max_forward', sizes, { count: windows }, threads(windows), {
          x: from,
          y,
          argmax,
        });
      const linear = (
        layer: string,
        IN: number,
        OUT: number,
        from: BufferRange,
        y: BufferRange,
        RELU = true,
      ) => {
        const constants = { ...TILE, A_ALONG_K: true, B_ALONG_K: true, IN, OUT, RELU };
        const tensors = { x: from, w: weight(layer), bias: bias(layer), y };
        return dispatch(device, 'linear/fprop', constants, { N }, tiles(N, OUT), tensors);
      };
      return Promise.all([
        conv('conv1', CONV1, x, y1),
        pool(POOL1, N * 1176, y1, p1, at1),
        conv('conv2', CONV2, p1, y2),
        pool(POOL2, N * 400, y2, p2, at2),
        linear('fc1', 400, 120, p2, h1),
        linear('fc2', 120, 84, h1, h2),
        linear('fc3', 84, 10, h2, logits, false),
      ]);
    };

    const N = batchSize;
    const [a, d] = [await activations(N), await activations(N)];
    const [labels, losses, predictions] = [
      await room('labels', N),
      await room('losses', N),
      await room('found', N),
    ];
    const unused = {
      faults: await room('unused', 4),
      blocks: labels,
      factors: await uniform(device, new ArrayBuffer(16)),
    };
    // A step's numbers, as shaders/common/step.wgsl lays them out. They are the same in all steps.
    const step = await room('step', 64);
    queue.writeBuffer(step.buffer.raw, 0, Float32Array.of(learningRate));
    queue.writeBuffer(step.buffer.raw, 44, Uint32Array.of(N));

    const backward = () => {
      const linear = (
        layer: string,
        IN: number,
        OUT: number,
        x: BufferRange,
        dy: BufferRange,
        dx: BufferRange,
        MASK = true,
      ) => [
        dispatch(
          device,
          'linear/wgrad',
          { ...TILE, A_ALONG_K: false, B_ALONG_K: false, IN, OUT },
          { N },
          tiles(OUT, IN + 1),
          { ...{ dy, x, ...own(layer) } },
        ),
        dispatch(
          device,
          'linear/dgrad',
          { ...TILE, A_ALONG_K: true, B_ALONG_K: false, IN, OUT, MASK },
          { N },
          tiles(N, IN),
          { ...{ dy, w: weight(layer), x, dx } },
        ),
      ];
      const pool = (sizes: typeof POOL1, size: number, tensors: Ranges) =>
        dispatch(
          device,
          'pooling/max_backward',
          { ...sizes, MASK: true },
          { count: size },
          threads(size, 256),
          tensors,
        );
      const wgrad = (layer: string, sizes: typeof CONV2, x: BufferRange, dy: BufferRange) =>
        dispatch(device, 'conv/direct/wgrad_shared', sizes, { N }, sizes.K * (sizes.C + 1), {
          dy,
          x,
          ...own(layer),
        });
      const { HAS_BIAS: _, ...conv2 } = CONV2;
      const { logits } = a;
      return Promise.all([
        dispatch(
          device,
          'loss/softmax_cross_entropy',
          { CLASSES: 10 },
          { rows: N, smoothing: 0 },
          threads(N),
          {
            ...{
              logits,
              labels,
              partners: labels,
              losses,
              predictions,
              gradient: d.logits,
              scaling: logits,
              step,
            },
          },
        ),
        ...linear('fc3', 84, 10, a.h2, d.logits, d.h2),
        ...linear('fc2', 120, 84, a.h1, d.h2, d.h1),
        ...linear('fc1', 400, 120, a.p2, d.h1, d.p2, false),
        pool(POOL2, N * 1600, { dy: d.p2, argmax: a.at2, x: a.y2, dx: d.y2 }),
        wgrad('conv2', CONV2, a.p1, d.y2),
        dispatch(device, 'conv/direct/dgrad', conv2, { N }, threads(N * 1176), {
          ...{ dy: d.y2, w: weight('conv2'), x: a.p1, dx: d.p1 },
        }),
        pool(POOL1, N * 4704, { dy: d.p1, argmax: a.at1, x: a.y1, dx: d.y1 }),
        wgrad('conv1', CONV1, a.x, d.y1),
        dispatch(device, 'optimizers/sgd', {}, { count }, threads(count), {
          ...{ parameters, gradients, momentum_buffer: momentum, step, ...unused },
        }),
      ]);
    };

    const images = await ledger.upload(
      'images',
      Float32Array.from(train.images, (byte) => byte / 255),
    );
    const classes = await ledger.upload('classes', Uint32Array.from(train.labels));
    const training = [...(await forward(N, a)), ...(await backward())];
    const one = await activations(1);
    const inference = await forward(1, one);
    let done = 0;
    return {
      device: device.adapter.description,
      async infer(image) {
        queue.writeBuffer(
          one.x.buffer.raw,
          0,
          Float32Array.from(image, (byte) => byte / 255),
        );
        const encoder = raw.createCommandEncoder();
        encode(encoder, inference);
        queue.submit([encoder.finish()]);
        return softmax(await readback.floats(one.logits));
      },

      async train(steps) {
        for (let i = 0; i < steps; i++) {
          const first = (done++ * N) % train.count;
          const encoder = raw.createCommandEncoder();
          encoder.copyBufferToBuffer(images.raw, 4 * 784 * first, a.x.buffer.raw, 0, 4 * 784 * N);
          encoder.copyBufferToBuffer(classes.raw, 4 * first, labels.buffer.raw, 0, 4 * N);
          encode(encoder, training);
          queue.submit([encoder.finish()]);
        }
        return (await readback.floats(losses)).reduce((sum, loss) => sum + loss, 0) / N;
      },
    };
  },
};

export default wgradKernels;

async function uniform(device: Device, data: ArrayBuffer): Promise<BufferRange> {
  const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
  const buffer = await device.ledger.create('uniform', data.byteLength, usage);
  device.queue.writeBuffer(buffer.raw, 0, data);
  return wholeBuffer(buffer);
}

/** @param sizes of the kernel's uniform @param tensors by their names in the kernel */
async function dispatch(
  device: Device,
  shader: string,
  constants: Constants,
  sizes: Readonly<Record<string, number>>,
  workgroups: number,
  tensors: Ranges,
): Promise<Dispatch> {
  const { pipeline, layouts, interface: shape } = await device.kernels.get({ shader, constants });
  const entries = shape.bindings.map(async (one) => {
    const members = shape.structs.get(one.type) ?? [];
    const range = takesTensor(shape, one)
      ? tensors[one.name]
      : await uniform(device, packUniforms(shader, members, sizes));
    return { ...one, resource: { buffer: range.buffer.raw, offset: range.offset, size: range.bytes } };
  });
  const all = await Promise.all(entries);
  const groups = layouts.map((layout, group) =>
    device.raw.createBindGroup({ layout, entries: all.filter((entry) => entry.group === group) }),
  );
  return { pipeline, groups, workgroups };
}

function encode(encoder: GPUCommandEncoder, dispatches: readonly Dispatch[]): void {
  const pass = encoder.beginComputePass();
  for (const { pipeline, groups, workgroups } of dispatches) {
    pass.setPipeline(pipeline);
    groups.forEach((group, i) => pass.setBindGroup(i, group, i === STEP_GROUP ? [0] : []));
    pass.dispatchWorkgroups(workgroups);
  }
  pass.end();
}
