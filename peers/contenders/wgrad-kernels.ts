/** LeNet by hand on wgrad's kernels: buffers, bind groups and lists of dispatches, and nothing that plans them. */
import { softmax } from '../../src/base/softmax.ts';
import { openDevice, type Device } from '../../src/gpu/device.ts';
import { packUniforms, takesTensor } from '../../src/gpu/interface.ts';
import { STEP_GROUP } from '../../src/gpu/kernels.ts';
import { wholeBuffer, type BufferRange } from '../../src/gpu/ledger.ts';
import type { Constants } from '../../src/gpu/link.ts';
import { Readback } from '../../src/gpu/readback.ts';
import type { Contender } from '../contender.ts';
import { gpuOf } from '../gpu.ts';

type Ranges = Readonly<Record<string, BufferRange>>;

/** Values per image. `at1` and `at2` are the places of the maxima. */
const ACTIVATIONS = {
  ...{ x: 784, y1: 4704, p1: 1176, at1: 1176, y2: 1600, p2: 400, at2: 400 },
  ...{ h1: 120, h2: 84, logits: 10 },
};
/** Convolutions, with tiles of outputs that suit their sizes. */
const CONV1 = { ...{ C: 1, H: 28, W: 28, K: 6, R: 5, S: 5, P: 28, Q: 28, PADDING_TOP: 2, PADDING_LEFT: 2 } };
const CONV2 = { C: 6, H: 14, W: 14, K: 16, R: 5, S: 5, P: 10, Q: 10 };
const CONV2_BACK = {
  ...{ C: 16, H: 10, W: 10, K: 6, R: 5, S: 5, P: 14, Q: 14, PADDING_TOP: 4, PADDING_LEFT: 4, FLIPPED: true },
};
const TILE1 = { WX: 14, WY: 7, WZ: 1, ROWS: 2 };
const TILE2 = { WX: 10, WY: 5, WZ: 2, ROWS: 2 };
const HALVES = { R: 2, S: 2, STRIDE_V: 2, STRIDE_H: 2 };
const POOL1 = { ...HALVES, H: 28, W: 28, P: 14, Q: 14 };
const POOL2 = { ...HALVES, H: 10, W: 10, P: 5, Q: 5 };
/** Products: four rows and columns per thread, eight threads across, and eight that share each sum. */
const TILE = { TM: 4, TN: 1, WX: 8, WY: 1, WK: 8, STAGED: false, SPLIT: true };
const tiles = (rows: number, columns: number) => Math.ceil(rows / 4) * Math.ceil(columns / 32);
const threads = (count: number, each = 64) => Math.ceil(count / each);

interface Dispatch {
  pipeline: GPUComputePipeline;
  groups: readonly GPUBindGroup[];
  workgroups: number;
}

const wgradKernels: Contender = {
  async open(backend, { weights, train, batchSize: N, learningRate }) {
    const device = await openDevice(await gpuOf(backend));
    const { ledger, queue, raw } = device;
    const readback = new Readback(device);
    const room = async (name: string, count: number) => wholeBuffer(await ledger.storage(name, 4 * count));
    const activations = async (images: number): Promise<Ranges> => {
      const made = Object.entries(ACTIVATIONS).map(async ([name, count]) => [
        name,
        await room(name, images * count),
      ]);
      return Object.fromEntries(await Promise.all(made));
    };

    // All parameters in one buffer and all gradients in another, so that one dispatch updates them.
    let count = 0;
    const places: Record<string, { offset: number; bytes: number }> = {};
    for (const [name, { data }] of weights) {
      places[name] = { offset: 4 * count, bytes: 4 * data.length };
      count += 64 * Math.ceil(data.length / 64);
    }
    const parameters = await room('parameters', count);
    const gradients = await room('gradients', count);
    const own = ({ buffer }: BufferRange, name: string) => ({ buffer, ...places[name] });
    for (const [name, { data }] of weights)
      queue.writeBuffer(parameters.buffer.raw, places[name].offset, Float32Array.from(data));

    const layer = (name: string) => ({
      w: own(parameters, `${name}.weight`),
      bias: own(parameters, `${name}.bias`),
    });
    const gradient = (name: string) => ({
      dw: own(gradients, `${name}.weight`),
      db: own(gradients, `${name}.bias`),
    });

    const forward = (images: number, a: Ranges) => {
      const conv = (name: string, constants: Constants, workgroups: number, x: BufferRange, y: BufferRange) =>
        dispatch(device, 'conv/direct/blocked', {
          constants: { ...constants, HAS_BIAS: true, RELU: true },
          sizes: { N: images },
          tensors: { x, ...layer(name), mask: x, y },
          workgroups,
        });
      const pool = (
        constants: Constants,
        windows: number,
        x: BufferRange,
        y: BufferRange,
        argmax: BufferRange,
      ) =>
        dispatch(device, 'pooling/max_forward', {
          constants,
          sizes: { count: windows },
          tensors: { x, y, argmax },
          workgroups: threads(windows),
        });
      const linear = (name: string, IN: number, OUT: number, x: BufferRange, y: BufferRange, RELU = true) =>
        dispatch(device, 'linear/fprop', {
          constants: { ...TILE, A_ALONG_K: true, B_ALONG_K: true, IN, OUT, RELU },
          sizes: { N: images },
          tensors: { x, ...layer(name), y },
          workgroups: tiles(images, OUT),
        });
      return Promise.all([
        conv('conv1', { ...CONV1, ...TILE1 }, 4 * images, a.x, a.y1),
        pool(POOL1, images * 1176, a.y1, a.p1, a.at1),
        conv('conv2', { ...CONV2, ...TILE2 }, images, a.p1, a.y2),
        pool(POOL2, images * 400, a.y2, a.p2, a.at2),
        linear('fc1', 400, 120, a.p2, a.h1),
        linear('fc2', 120, 84, a.h1, a.h2),
        linear('fc3', 84, 10, a.h2, a.logits, false),
      ]);
    };

    const [a, d] = [await activations(N), await activations(N)];
    const [labels, losses] = [await room('labels', N), await room('losses', N)];
    // A step's numbers, as shaders/common/step.wgsl lays them out. They are the same in all steps.
    const step = await room('step', 64);
    queue.writeBuffer(step.buffer.raw, 0, Float32Array.of(learningRate));
    queue.writeBuffer(step.buffer.raw, 44, Uint32Array.of(N));

    const loss = dispatch(device, 'loss/softmax_cross_entropy', {
      constants: { CLASSES: 10 },
      sizes: { rows: N, smoothing: 0 },
      tensors: {
        ...{ logits: a.logits, labels, losses, predictions: await room('predictions', N), step },
        ...{ gradient: d.logits, partners: labels, scaling: labels },
      },
      workgroups: threads(N),
    });
    const linear = (name: string, IN: number, OUT: number, x: string, y: string, MASK = true) => [
      dispatch(device, 'linear/wgrad', {
        constants: { ...TILE, A_ALONG_K: false, B_ALONG_K: false, IN, OUT },
        sizes: { N },
        tensors: { dy: d[y], x: a[x], ...gradient(name) },
        workgroups: tiles(OUT, IN + 1),
      }),
      dispatch(device, 'linear/dgrad', {
        constants: { ...TILE, A_ALONG_K: true, B_ALONG_K: false, IN, OUT, MASK },
        sizes: { N },
        tensors: { dy: d[y], w: layer(name).w, x: a[x], dx: d[x] },
        workgroups: tiles(N, IN),
      }),
    ];
    const unpool = (constants: Constants, size: number, x: string, y: string, argmax: string) =>
      dispatch(device, 'pooling/max_backward', {
        constants: { ...constants, MASK: true },
        sizes: { count: N * size },
        tensors: { dy: d[y], argmax: a[argmax], x: a[x], dx: d[x] },
        workgroups: threads(N * size, 256),
      });
    const filters = (name: string, constants: typeof CONV2, x: string, y: string) =>
      dispatch(device, 'conv/direct/wgrad_shared', {
        constants: { ...constants, HAS_BIAS: true },
        sizes: { N },
        tensors: { dy: d[y], x: a[x], ...gradient(name) },
        workgroups: constants.K * (constants.C + 1),
      });
    const update = dispatch(device, 'optimizers/sgd', {
      constants: {},
      sizes: { count },
      tensors: {
        ...{ parameters, gradients, momentum_buffer: await room('momentum', count), step },
        ...{ blocks: labels, faults: losses, factors: await uniform(device, new ArrayBuffer(16)) },
      },
      workgroups: threads(count),
    });
    const training = await Promise.all([
      ...(await forward(N, a)),
      loss,
      ...linear('fc3', 84, 10, 'h2', 'logits'),
      ...linear('fc2', 120, 84, 'h1', 'h2'),
      ...linear('fc1', 400, 120, 'p2', 'h1', false),
      unpool(POOL2, 1600, 'y2', 'p2', 'at2'),
      filters('conv2', CONV2, 'p1', 'y2'),
      dispatch(device, 'conv/direct/blocked', {
        constants: { ...CONV2_BACK, ...TILE1 },
        sizes: { N },
        tensors: { x: d.y2, ...layer('conv2'), mask: d.y2, y: d.p1 },
        workgroups: N,
      }),
      unpool(POOL1, 4704, 'y1', 'p1', 'at1'),
      filters('conv1', CONV1, 'x', 'y1'),
      update,
    ]);

    const images = await ledger.upload(
      'images',
      Float32Array.from(train.images, (byte) => byte / 255),
    );
    const classes = await ledger.upload('classes', Uint32Array.from(train.labels));
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
        return (await readback.floats(losses)).reduce((sum, value) => sum + value, 0) / N;
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

interface DispatchOptions {
  constants: Constants;
  /** Of the kernel's uniform. */
  sizes: Readonly<Record<string, number>>;
  /** By their names in the kernel. */
  tensors: Ranges;
  workgroups: number;
}

async function dispatch(
  device: Device,
  shader: string,
  { constants, sizes, tensors, workgroups }: DispatchOptions,
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
