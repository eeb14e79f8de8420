/** The profile of a training step: CPU time, GPU time, and the time of each kernel. */
import { Failure } from '../../base/result.ts';
import { CallTap, type CallTime } from '../../gpu/calls.ts';
import type { Device } from '../../gpu/device.ts';
import { spreadOf, Stopwatch } from '../../gpu/timing.ts';
import { measureCeilings, type Ceilings } from './ceilings.ts';
import { layerTimes, timeKernels, type KernelTime, type LayerTime, type SampledSpread } from './kernels.ts';
import { timeSteps, Trial, type TrialNetwork, type TrialOptions } from './trial.ts';

/** Milliseconds of a single step, with nothing before or after it: means over `steps`. */
export interface SingleStep {
  steps: number;
  /** On the CPU: writing the step's data and encoding all commands. */
  encodeMs: number;
  /** On the CPU: submitting the commands. */
  submitMs: number;
  /** From submission until the GPU reports completion. */
  waitMs: number;
  /** Copying the step's loss and waiting for it. */
  readMs: number;
}

export interface StepProfile {
  clock: 'timestamps' | 'wall';
  /** The resolution of the GPU's clock, milliseconds. Absent for the wall clock. */
  tickMs?: number;
  batchSize: number;
  optimizer: string;
  /** Milliseconds per step by the wall clock, many steps in a row as in training. */
  wall: SampledSpread;
  /** GPU milliseconds for all kernels of a step in one pass. */
  gpu: SampledSpread;
  /** In the order of execution. */
  kernels: KernelTime[];
  layers: LayerTime[];
  single: SingleStep;
  /** WebGPU calls of a single step, by kind: counts and milliseconds per step, means over `single.steps`. */
  calls: CallTime[];
  ceilings: Ceilings;
}

/** What is being measured; `share` is the progress, 0 to 1. */
export interface ProfileProgress {
  phase: 'compiling' | 'steps' | 'calls' | 'kernels' | 'ceilings';
  share: number;
}

const STEP_SAMPLES = 15;
const GPU_SAMPLES = 5;
/**
 * Single steps are repeated for about this long: browsers round the CPU's clock, so only means of many are accurate.
 */
const SINGLES_MS = 400;
const [MIN_SINGLES, MAX_SINGLES] = [3, 400];
const MIN_RECORDINGS = 100;

/**
 * @param onProgress receives progress; returning false cancels
 * @throws Failure `cancelled` if it was cancelled
 */
export async function profileStep(
  device: Device,
  network: TrialNetwork,
  options: TrialOptions,
  onProgress: (progress: ProfileProgress) => boolean = () => true,
): Promise<StepProfile> {
  const report = (phase: ProfileProgress['phase'], share: number) => {
    if (!onProgress({ phase, share })) throw new Failure('cancelled', 'Stopped.');
  };
  report('compiling', 0);
  const stopwatch = await Stopwatch.create(device);
  let tap: CallTap | undefined;
  let trial: Trial | undefined;
  try {
    // Calls are recorded from the start, since read-back buffers are created early.
    tap = new CallTap(device);
    trial = await Trial.open(device, network, options);
    report('calls', 0.05);
    const { calls, steps } = await singleCalls(trial, tap);
    tap.close();
    report('steps', 0.15);
    const single = await singleSteps(trial, calls, steps);
    const { samples, repetitions } = await timeSteps(trial, STEP_SAMPLES, () =>
      onProgress({ phase: 'steps', share: 0.2 }),
    );
    report('kernels', 0.25);
    const { plan } = trial.trainer;
    const whole = await stopwatch.time((pass) => plan.encode(pass), { samples: GPU_SAMPLES, mostMs: 1000 });
    const count = plan.dispatches.length;
    const kernels = await timeKernels(stopwatch, plan, (done) => {
      report('kernels', 0.25 + (0.65 * done) / count);
      return true;
    });
    report('ceilings', 0.9);
    const ceilings = await measureCeilings(device, stopwatch);
    return {
      clock: stopwatch.kind,
      tickMs: stopwatch.tickMs,
      batchSize: options.batchSize,
      optimizer: options.optimizer,
      wall: { ...spreadOf(samples), samples: samples.length, repetitions },
      gpu: { ...spreadOf(whole.samples), samples: whole.samples.length, repetitions: whole.repetitions },
      kernels,
      layers: layerTimes(kernels),
      single,
      calls,
      ceilings,
    };
  } finally {
    tap?.close();
    trial?.destroy();
    stopwatch.destroy();
  }
}

/** The number of single steps that fit into their time. */
const singlesFor = (ms: number): number =>
  Math.max(MIN_SINGLES, Math.min(MAX_SINGLES, Math.round(SINGLES_MS / Math.max(ms, 1e-3))));

async function one(trial: Trial): Promise<[submitted: number, done: number, read: number]> {
  trial.submit(1);
  const submitted = performance.now();
  await trial.trainer.device.idle();
  const done = performance.now();
  await trial.trainer.readMetrics(1);
  return [submitted, done, performance.now()];
}

/** The calls of a single step, timed individually; means over several steps. */
async function singleCalls(trial: Trial, tap: CallTap): Promise<{ calls: CallTime[]; steps: number }> {
  await one(trial);
  const start = performance.now();
  await one(trial);
  const steps = singlesFor(performance.now() - start);
  tap.clear();
  for (let i = 0; i < steps; i++) await one(trial);
  const counts = new Map(tap.times.map(({ call, count }) => [call, count / steps]));
  // If the GPU is slow and steps are few, measure recording with commands that are discarded.
  for (let i = steps; i < MIN_RECORDINGS; i++) record(trial);
  const calls = tap.times.map((time) => {
    const count = counts.get(time.call) ?? 0;
    return { ...time, count, ms: (count * time.ms) / time.count };
  });
  return { calls, steps };
}

/** Records a step's commands without submitting them. */
function record({ trainer: { device, plan } }: Trial): void {
  const encoder = device.raw.createCommandEncoder();
  const pass = encoder.beginComputePass();
  plan.encode(pass);
  pass.end();
  encoder.finish();
}

/** Calls that only a step makes. */
const PASS_CALLS = ['setPipeline', 'setBindGroup', 'dispatchWorkgroups', 'end'];

/**
 * The phases of a single step, without timing each call. The timed calls divide the CPU's time into recording and
 * submitting.
 */
async function singleSteps(trial: Trial, calls: readonly CallTime[], steps: number): Promise<SingleStep> {
  const sums = { encoded: 0, waited: 0, read: 0 };
  for (let i = 0; i < steps; i++) {
    const start = performance.now();
    const [submitted, done, read] = await one(trial);
    sums.encoded += submitted - start;
    sums.waited += done - submitted;
    sums.read += read - done;
  }
  const before = sums.encoded / steps;
  // The time of the calls in both phases is known; the rest of the CPU's time is recording. Some calls belong to the
  // read-back.
  const each = (call: string): number => {
    const known = calls.find((time) => time.call === call);
    return known ? known.ms / known.count : 0;
  };
  const sum = (names: readonly string[]): number =>
    calls.reduce((total, { call, ms }) => total + (names.includes(call) ? ms : 0), 0);
  const recording =
    each('createCommandEncoder') + each('finish') + sum(['writeBuffer', 'beginComputePass', ...PASS_CALLS]);
  const encodeMs = Math.min(before, Math.max(recording, before - each('submit')));
  return {
    steps,
    encodeMs,
    submitMs: before - encodeMs,
    waitMs: sums.waited / steps,
    readMs: sums.read / steps,
  };
}
