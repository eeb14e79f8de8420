/**
 * Runs dispatches on a real device under hard conditions: outputs are poisoned, every tensor lies between guard words
 * inside its own binding (where a GPU's bounds checks would otherwise hide a wrong index), each plan runs twice, and
 * nothing may be left behind.
 */
import { assert } from '../../base/assert.ts';
import { cpuGpu } from '../../cpu/device/gpu.ts';
import { openNodeDevice } from '../../node/gpu.ts';
import { elements, type Shape } from '../../base/shape.ts';
import { openDevice, type AdapterInfo, type Device, type Limits } from '../../gpu/device.ts';
import { Readback } from '../../gpu/readback.ts';
import type { GpuBuffer } from '../../gpu/ledger.ts';
import { placed, PlanBuilder, type Tensor } from '../plan.ts';
import type { FixtureValues } from './fixtures.ts';

/** By limits; undefined: as WGRAD_LIMITS says. */
const opened = new Map<Limits | undefined, Promise<Device>>();
let current: Limits | undefined;
/** Whether races in the memory of workgroups are errors: see `watchRaces`. */
let watches = process.env['WGRAD_RACES'] === '1';

/** The device of this test file: see `nodeGpu`. */
export function testDevice(): Promise<Device> {
  const device =
    opened.get(current) ??
    (watches ? openDevice(cpuGpu({ watched: true }), current) : openNodeDevice({ limits: current }));
  opened.set(current, device);
  return device;
}

/**
 * From now on this file's device is the processor, and is lost by a race in the memory of a workgroup. WGRAD_RACES=1 does
 * that for all files.
 */
export async function watchRaces(): Promise<void> {
  await closeTestDevices();
  watches = true;
}

/** Closes what a test file opened, for the next file of this process. */
export async function closeTestDevices(): Promise<void> {
  for (const device of await Promise.allSettled(opened.values()))
    if (device.status === 'fulfilled') device.value.destroy();
  opened.clear();
  current = undefined;
  watches = process.env['WGRAD_RACES'] === '1';
}

/** Threads of a workgroup that devices with these limits have. */
const THREADS = { default: 256, compatibility: 128 };

/** From now on this file's device has no more than core WebGPU or compatibility mode guarantees. */
export async function atLimits(limits: keyof typeof THREADS): Promise<void> {
  current = limits;
  const device = await testDevice();
  assert(
    device.limit('maxComputeInvocationsPerWorkgroup') === THREADS[limits] &&
      device.limit('maxComputeWorkgroupStorageSize') === 16384,
    `other limits than those of ${limits}`,
  );
}

/** Makes choices those for a real GPU, or for software, on whatever adapter there is. Returns what undoes it. */
export function pretend(adapter: AdapterInfo, software: boolean): () => void {
  const { cpu, software: was } = adapter;
  Object.assign(adapter, { software, cpu: false });
  return () => Object.assign(adapter, { software: was, cpu });
}

/** Offers kernels for tensor cores, which then emulate them. Returns what undoes it. */
export function pretendMatrices(adapter: AdapterInfo): () => void {
  const { matrices } = adapter;
  adapter.matrices = 'emulated';
  return () => Object.assign(adapter, { matrices });
}

/**
 * What a real GPU or SwiftShader would run, on whatever adapter there is: each has tiles and second passes of its own.
 */
export async function asIfOn<T>(device: 'a GPU' | 'SwiftShader', work: () => Promise<T>): Promise<T> {
  const restore = pretend((await testDevice()).adapter, device === 'SwiftShader');
  try {
    return await work();
  } finally {
    restore();
  }
}

export interface KernelTrial<I extends string, O extends string> {
  inputs: Readonly<Record<I, FixtureValues>>;
  /** A shape for outputs that the plan writes whole; values for those that it updates. */
  outputs: Readonly<Record<O, Shape | FixtureValues>>;
  /** Per-step data, and how many bytes into it this step's slot starts. */
  step?: { data: Uint8Array<ArrayBuffer>; slotBytes: number; offset?: number };
  /** Bytes that the plan reports as its own, without uniforms. */
  workspace?: number;
  build(plan: PlanBuilder, tensors: Readonly<Record<I | O, Tensor>>): void | Promise<void>;
}

/**
 * Quiet NaNs that no arithmetic produces: one for inputs and one for outputs, so that a guard word copied from an input
 * is detected.
 */
const INPUT_POISON = 0x7fdead02;
const POISON = 0x7fdead01;
/** Also the alignment of a binding. */
const GUARD_BYTES = 256;
/** Allowance for alignment and uniforms in a plan's own memory. */
const ROUNDING_BYTES = 16384;
const GUARD_WORDS = GUARD_BYTES / 4;

/**
 * Builds, compiles and runs a plan; returns the outputs as float32 (use `new Uint32Array(output.buffer)` for integers).
 * Throws if a guard word changed, if a second run differs in any bit, if the device reported an error, or if a buffer
 * was not destroyed.
 *
 * Bindings are longer than their tensors here, so kernels must not use `arrayLength`.
 */
export async function runPlan<I extends string, O extends string>(
  trial: KernelTrial<I, O>,
): Promise<Record<O, Float32Array<ArrayBuffer>>> {
  const device = await testDevice();
  const before = device.ledger.buffers;
  const readback = new Readback(device);
  const buffers: GpuBuffer[] = [];
  let results: Record<O, Float32Array<ArrayBuffer>>;
  try {
    results = await runGuarded(device, trial, readback, buffers);
  } finally {
    readback.destroy();
    for (const buffer of buffers) buffer.destroy();
  }
  const left = device.ledger.buffers - before;
  if (left !== 0) throw new Error(`${left} buffers were left behind`);
  if (device.uncaught.length > 0) throw new Error(`uncaught GPU errors: ${device.uncaught.join('\n')}`);
  return results;
}

/** @param buffers receives every buffer created here, for the caller to destroy */
async function runGuarded<I extends string, O extends string>(
  device: Device,
  trial: KernelTrial<I, O>,
  readback: Readback,
  buffers: GpuBuffer[],
): Promise<Record<O, Float32Array<ArrayBuffer>>> {
  const tensors: Record<string, Tensor> = {};
  const place = async (name: string, contents: Uint32Array<ArrayBuffer>, shape: Shape) => {
    const buffer = await device.ledger.upload(name, contents);
    buffers.push(buffer);
    tensors[name] = placed(name, shape, { buffer, offset: GUARD_BYTES, bytes: buffer.bytes - GUARD_BYTES });
    return buffer;
  };
  for (const [name, values] of Object.entries<FixtureValues>(trial.inputs)) {
    await place(name, guarded(values.shape, values, INPUT_POISON), values.shape);
  }
  const outputs: { name: O; buffer: GpuBuffer; start: Uint32Array<ArrayBuffer> }[] = [];
  for (const name of Object.keys(trial.outputs) as O[]) {
    const wanted: Shape | FixtureValues = trial.outputs[name];
    const values = 'data' in wanted ? wanted : undefined;
    const shape = 'data' in wanted ? wanted.shape : wanted;
    const start = guarded(shape, values, POISON);
    outputs.push({ name, buffer: await place(name, start, shape), start });
  }
  const builder = new PlanBuilder(device);
  await trial.build(builder, tensors as Record<I | O, Tensor>);
  const ring = trial.step && (await device.ledger.upload('steps', trial.step.data));
  if (ring) buffers.push(ring);
  const plan = await builder.compile(ring && { buffer: ring, slotBytes: trial.step?.slotBytes ?? 0 });
  const results = {} as Record<O, Float32Array<ArrayBuffer>>;
  try {
    if (trial.workspace !== undefined && plan.bytes > trial.workspace + ROUNDING_BYTES) {
      throw new Error(`the plan takes ${plan.bytes} bytes, and said ${trial.workspace}`);
    }
    // The second run, with workspaces no longer zero, must give the same bits.
    for (const run of ['first', 'second']) {
      for (const { buffer, start } of outputs) device.queue.writeBuffer(buffer.raw, 0, start);
      plan.run(trial.step?.offset ?? 0);
      for (const { name, buffer, start } of outputs) {
        const words = new Uint32Array(await readback.read({ buffer, offset: 0, bytes: buffer.bytes }));
        const found = checkGuards(name, words, start);
        const known = results[name];
        if (known) requireSameBits(`${name}, ${run} run`, found, new Uint32Array(known.buffer));
        results[name] = new Float32Array(found.buffer);
      }
    }
  } finally {
    plan.destroy();
  }
  return results;
}

/** Guard words, then the values or poison, then guard words. */
function guarded(shape: Shape, values: FixtureValues | undefined, poison: number): Uint32Array<ArrayBuffer> {
  const count = elements(shape);
  const words = new Uint32Array(count + 2 * GUARD_WORDS).fill(poison);
  if (values) {
    const { data } = values;
    if (data.length !== count) throw new Error(`${data.length} values for shape [${shape.join(', ')}]`);
    words.set(new Uint32Array(data.buffer, data.byteOffset, data.length), GUARD_WORDS);
  }
  return words;
}

/** The words between the guard words, which must be unchanged. */
function checkGuards(
  name: string,
  words: Uint32Array<ArrayBuffer>,
  start: Uint32Array,
): Uint32Array<ArrayBuffer> {
  const end = start.length - GUARD_WORDS;
  for (let i = 0; i < words.length; i = i === GUARD_WORDS - 1 ? end : i + 1) {
    if (words[i] === POISON) continue;
    throw new Error(`${name}: written outside of its ${end - GUARD_WORDS} numbers, at ${i - GUARD_WORDS}`);
  }
  return words.slice(GUARD_WORDS, end);
}

function requireSameBits(label: string, found: Uint32Array, known: Uint32Array): void {
  for (let i = 0; i < found.length; i++) {
    if (found[i] !== known[i]) throw new Error(`${label}: other bits than the first at ${i}`);
  }
}
