/**
 * Judges a kernel that somebody wrote for a lesson, on devices for this alone: tests on the CPU engine, which watches for races and for loops that do
 * not end, and only then on the devices where it is timed. A GPU gets a kernel only for sizes on which it has passed: it
 * could not be stopped there.
 */
import { Failure } from '../base/result.ts';
import { elements, type Shape } from '../base/shape.ts';
import { errorBound, uniformSize } from '../engine/error-bound.ts';
import { placedIn, PlanBuilder, type Tensor, type Workgroups } from '../engine/plan.ts';
import { owning } from '../base/owned.ts';
import type { Device } from '../gpu/device.ts';
import { constantsOf, type Constants } from '../gpu/link.ts';
import { readInterface } from '../gpu/interface.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import { Readback } from '../gpu/readback.ts';
import { spreadOf, Stopwatch } from '../gpu/timing.ts';
import type { KernelLesson, LessonEngine, NamedShape, OpenWork } from './lesson.ts';
import { randomNumbers } from './numbers.ts';

/** The name of the file in messages. */
export const KERNEL_FILE = 'yours';

/** The first wrong value of an output. */
export interface WrongValue {
  /** Its indices: { row: 1, column: 0 }. */
  index: Readonly<Record<string, number>>;
  /** Where it lies in memory. */
  at: number;
  expected: number;
  /** Undefined if nothing was written there. */
  found: number | undefined;
  /** How many are wrong, of how many. */
  wrong: number;
  of: number;
}

export interface Rate {
  /** Median milliseconds of the kernel, and of wgrad's own. */
  ms: number;
  ownMs: number;
  /** Multiply-adds of both. */
  products: number;
  /** On what it was timed. */
  device: string;
}

/** What became of a kernel, as far as it got. */
export type KernelVerdict =
  | { how: 'passed' }
  /** On sizes by name, such as { M: 1 }. */
  | { how: 'wrong'; engine: LessonEngine; sizes: Readonly<Record<string, number>>; value: WrongValue };

/** Values that an output has before. A kernel does not compute this NaN. */
const POISON = 0x7fc0_beef;

/** Engines compile what is called often once more, and better. */
const WARM_UP_MS = 150;
const SAMPLES = 10;
const MINIMUM_MS = 4;
/** Samples of a slow kernel are fewer. */
const MOST_MS = 1500;

/** The largest extent of a tile. */
const MOST_TILE = 1024;

/** The sizes on which a kernel is tested before it is timed on some engines, which come last. */
export const testsOf = <Sizes>(
  { tests, rates }: KernelLesson<Sizes>,
  engines: readonly LessonEngine[],
): readonly Sizes[] => [...tests, ...engines.flatMap((engine) => rates[engine]?.sizes ?? [])];

/**
 * Runs a kernel on some sizes, up to the first that it gets wrong.
 * @param tests see `testsOf`
 * @param onPassed called after each that passes, with how many have
 * @throws Failure `shader` if the kernel does not compile or misses what tests set; `device-lost` if it has a race, or a
 * loop that does not end, where the device is watched
 */
export async function testKernel<Sizes>(
  lesson: KernelLesson<Sizes>,
  text: string,
  device: Device,
  engine: LessonEngine,
  tests: readonly Sizes[],
  onPassed: (count: number) => void = () => undefined,
): Promise<KernelVerdict> {
  for (const [i, sizes] of tests.entries()) {
    const value = await firstWrong(lesson, text, device, sizes);
    if (value) return { how: 'wrong', engine, sizes: lesson.task.constants(sizes), value };
    onPassed(i + 1);
  }
  return { how: 'passed' };
}

/** Times a kernel that passed, and wgrad's own, in turns. */
export async function rateKernel(
  lesson: KernelLesson,
  text: string,
  device: Device,
  engine: LessonEngine,
): Promise<Rate | undefined> {
  const rate = lesson.rates[engine];
  if (!rate) return undefined;
  const { sizes } = rate;
  const stopwatch = await Stopwatch.create(device);
  const works: OpenWork[] = [];
  try {
    works.push(await open(lesson, text, device, sizes), await lesson.own(device, sizes));
    const encoded = works.map(
      ({ plan }) =>
        (pass: GPUComputePassEncoder) =>
          plan.encode(pass),
    );
    for (const work of encoded) {
      await stopwatch.settle(work);
      const start = performance.now();
      while (performance.now() - start < WARM_UP_MS) await stopwatch.once(work);
    }
    const once = await stopwatch.once(encoded[0]);
    const samples = Math.max(3, Math.min(SAMPLES, Math.floor(MOST_MS / Math.max(once, MINIMUM_MS))));
    const [yours, own] = await stopwatch.inTurns(encoded, { samples, minimumMs: MINIMUM_MS });
    return {
      ms: spreadOf(yours.samples).median,
      ownMs: spreadOf(own.samples).median,
      products: lesson.task.products(sizes),
      device: device.adapter.description,
    };
  } finally {
    stopwatch.destroy();
    for (const work of works) work.destroy();
  }
}

interface OpenKernel extends OpenWork {
  output: GpuBuffer;
  inputs: readonly Float32Array[];
}

async function firstWrong<Sizes>(
  lesson: KernelLesson<Sizes>,
  text: string,
  device: Device,
  sizes: Sizes,
): Promise<WrongValue | undefined> {
  const { task } = lesson;
  const { plan, output, inputs, destroy } = await open(lesson, text, device, sizes);
  const readback = new Readback(device);
  try {
    const { shape } = task.output(sizes);
    const count = elements(shape);
    device.queue.writeBuffer(output.raw, 0, new Uint32Array(count).fill(POISON));
    plan.run();
    const found = new Uint32Array(await readback.read({ buffer: output, offset: 0, bytes: 4 * count }));
    const sum = task.sum(sizes);
    const bound = sum ? errorBound(sum, uniformSize(sum.terms), count) : 0;
    return compare(found, task.reference(sizes, inputs), bound, task.dimensions, shape);
  } finally {
    readback.destroy();
    destroy();
  }
}

function compare(
  words: Uint32Array<ArrayBuffer>,
  expected: Float64Array,
  bound: number,
  dimensions: readonly string[],
  shape: Shape,
): WrongValue | undefined {
  const values = new Float32Array(words.buffer);
  let first: number | undefined;
  let wrong = 0;
  for (const [at, value] of expected.entries()) {
    if (Math.abs(values[at] - value) <= bound) continue;
    first ??= at;
    wrong++;
  }
  if (first === undefined) return undefined;
  const index: Record<string, number> = {};
  let rest = first;
  for (let i = shape.length - 1; i >= 0; i--) {
    index[dimensions[i]] = rest % shape[i];
    rest = Math.floor(rest / shape[i]);
  }
  return {
    index: Object.fromEntries(dimensions.map((name) => [name, index[name]])),
    at: first,
    expected: expected[first],
    found: words[first] === POISON ? undefined : values[first],
    wrong,
    of: expected.length,
  };
}

/** The kernel for these sizes, with random inputs. */
const open = <Sizes>(
  { task, extent }: KernelLesson<Sizes>,
  text: string,
  device: Device,
  sizes: Sizes,
): Promise<OpenKernel> =>
  owning(async (owned) => {
    const { own } = owned;
    const named = [...task.inputs(sizes), task.output(sizes)];
    const constants = task.constants(sizes);
    const workgroups = extent ? workgroupsFor(text, extent(sizes)) : ([1, 1, 1] as const);
    requireDeclared(text, constants, named);
    device.kernels.replaceSource(KERNEL_FILE, text);
    const inputs = task.inputs(sizes).map(({ name, shape }) => randomNumbers(name, elements(shape)));
    const buffers = [
      ...(await Promise.all(inputs.map((numbers, i) => device.ledger.upload(named[i].name, numbers)))),
      await device.ledger.storage('output', 4 * elements(task.output(sizes).shape)),
    ].map(own);
    const tensors = Object.fromEntries(
      named.map(({ name, shape }, i): [string, Tensor] => [name, placedIn(buffers[i], shape)]),
    );
    const builder = new PlanBuilder(device, KERNEL_FILE);
    builder.dispatch({ label: KERNEL_FILE, kernel: { shader: KERNEL_FILE, constants }, tensors, workgroups });
    const plan = own(await builder.compile());
    return { plan, inputs, output: buffers[buffers.length - 1], destroy: () => owned.destroy() };
  });

function workgroupsFor(text: string, [x, y, z]: readonly [number, number, number]): Workgroups {
  const [tileX, tileY] = [tileOf(text, 'TILE_X'), tileOf(text, 'TILE_Y')];
  return [Math.ceil(x / tileX), Math.ceil(y / tileY), z];
}

const declared = (text: string) =>
  constantsOf(KERNEL_FILE, (name) => {
    if (name === KERNEL_FILE) return text;
    throw new Failure('shader', `"@import ${name}": a lesson's kernel stands in one file`);
  });

function tileOf(text: string, name: string): number {
  const initial = declared(text).find((one) => one.name === name)?.initial ?? '';
  const value = /^\d+u?$/.test(initial) ? Number.parseInt(initial, 10) : 0;
  if (value >= 1 && value <= MOST_TILE) return value;
  const found = initial === '' ? 'no such line' : initial;
  throw new Failure(
    'shader',
    `expected "const ${name} = 16u;" or another number from 1 to ${MOST_TILE}, found ${found}`,
  );
}

/** @throws Failure `shader` for the first constant or binding that tests set and the text does not have */
function requireDeclared(text: string, constants: Constants, named: readonly NamedShape[]): void {
  const known = declared(text).map(({ name }) => name);
  const missing = Object.keys(constants).find((name) => !known.includes(name));
  if (missing !== undefined) {
    throw new Failure(
      'shader',
      `expected a line "const ${missing} = 1u;", which each test sets, found none`,
      'Copy it from the start of the lesson.',
    );
  }
  const { bindings } = readInterface(KERNEL_FILE, text);
  const wanted = named.map(({ name }, i) => ({
    line: `@group(0) @binding(${i}) var<storage, ${i < named.length - 1 ? 'read' : 'read_write'}> ${name}: array<f32>;`,
    found: bindings.some(
      (one) =>
        one.name === name &&
        one.group === 0 &&
        one.binding === i &&
        one.type.replaceAll(/\s/g, '') === 'array<f32>',
    ),
  }));
  const absent = wanted.find(({ found }) => !found);
  if (absent || bindings.length !== named.length) {
    const lines = wanted.map(({ line }) => line).join('\n');
    throw new Failure(
      'shader',
      absent
        ? `expected the line "${absent.line}", found none`
        : `expected ${named.length} bindings, found ${bindings.length}`,
      `A kernel of this lesson has these bindings and no others:\n${lines}`,
    );
  }
}
