/**
 * Convolution as plain loops on one core of the CPU, in float32 as on the GPU: the lowest rung of the Lab's ladder. The CPU
 * engine compiles them to WebAssembly, because JavaScript takes two to five times as long as what a C compiler makes of them.
 */
import type { Device } from '../../../gpu/device.ts';
import { Stopwatch, type Timing } from '../../../gpu/timing.ts';
import { grid, type Tensor } from '../../plan.ts';
import { problemConstants, type ConvSetting, type Launch } from './algorithm.ts';
import { openLaunch } from './choice/open-launch.ts';
import { convProblem, type ConvProblem, type Direction } from './problem.ts';
import { DIRECTION_TENSORS, type ConvTensorName } from './tensors.ts';

/** The loops, in a device's only thread: without bias, ReLU or mask. */
export const loops = (setting: ConvSetting, direction: Direction): Launch<Direction> => ({
  name: 'loops',
  workspaceBytes: 0,
  add(plan, label, tensors) {
    const { inputs, output } = DIRECTION_TENSORS[direction];
    const given = tensors as unknown as Readonly<Record<ConvTensorName, Tensor>>;
    plan.dispatch({
      label,
      kernel: {
        shader: `conv/loops/${direction}`,
        constants: { ...problemConstants(setting), N: setting.problem.N },
      },
      tensors: Object.fromEntries([...inputs, output].map((name) => [name, given[name]])),
      workgroups: grid(1, 1),
    });
  },
});

/** What times loops: the CPU engine. */
interface LoopPlace {
  device: Device;
  /** Opens the CPU engine; not needed where the device is that. */
  openCpu: (() => Promise<Device>) | undefined;
  signal: AbortSignal;
}

/** Images per call: more are as many calls, so that they need no more memory, and can be stopped. */
const BATCH = 100;
/** Engines compile what is called often once more, and better. */
const WARM_UP_MS = 100;
/** Most samples; fewer if one takes long. */
const SAMPLES = 10;
const MAX_MS = 2000;

/** Milliseconds for all images, one value per sample. */
type Loops = Pick<Timing, 'samples' | 'clock'>;

/** Times the loops. There are no samples if the signal aborts first. */
export async function timeLoops(
  { device, openCpu, signal }: LoopPlace,
  problem: ConvProblem,
  direction: Direction,
): Promise<Loops> {
  const cpu = device.adapter.cpu || !openCpu ? device : await openCpu();
  try {
    return await timeOn(cpu, problem, direction, signal);
  } finally {
    if (cpu !== device) cpu.destroy();
  }
}

async function timeOn(
  device: Device,
  { N, ...sizes }: ConvProblem,
  direction: Direction,
  signal: AbortSignal,
): Promise<Loops> {
  let batch = Math.min(N, BATCH);
  while (N % batch !== 0) batch--;
  const setting: ConvSetting = {
    device,
    problem: convProblem({ ...sizes, N: batch }),
    workspace: 0,
    number: 'f32',
  };
  const { plan, destroy } = await openLaunch(setting, direction, loops(setting, direction));
  const stopwatch = await Stopwatch.create(device);
  try {
    const call = () => stopwatch.once((pass) => plan.encode(pass));
    const timed: Loops = { samples: [], clock: stopwatch.kind };
    const { samples } = timed;
    const start = performance.now();
    while (performance.now() - start < WARM_UP_MS && !signal.aborted) await call();
    const warm = performance.now();
    while (samples.length < SAMPLES && performance.now() - warm < MAX_MS) {
      let ms = 0;
      for (let done = 0; done < N; done += batch) {
        if (signal.aborted) return timed;
        ms += await call();
      }
      samples.push(ms);
    }
    return timed;
  } finally {
    stopwatch.destroy();
    destroy();
  }
}
