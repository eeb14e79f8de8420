/**
 * Finds the fastest variant for a problem by measuring. Each is first verified on the device: all of its values against
 * the plain direct algorithm's, which is itself checked against float64, and sampled values against float64.
 * Variants that are incorrect or do not compile are reported with the reason and excluded. Correct ones are timed: all
 * roughly, and those close to the fastest thoroughly.
 */
import { medianInterval } from '../../../../base/median-interval.ts';
import { Failure } from '../../../../base/result.ts';
import type { Device } from '../../../../gpu/device.ts';
import { fetchShaders } from '../../../../gpu/sources.ts';
import { mebibytes } from '../../../../gpu/ledger.ts';
import { spreadOf, Stopwatch, type Encode, type Timing } from '../../../../gpu/timing.ts';
import { PlanBuilder, tensorBytes, type Plan } from '../../../plan.ts';
import type { ConvAlgorithm, ConvSetting, Launch } from '../algorithm.ts';
import { NAMES } from '../algorithms/direct/names.ts';
import { convAlgorithms } from '../algorithms/index.ts';
import type { ConvProblem, Direction } from '../problem.ts';
import {
  convTensorShape,
  convTensorType,
  DIRECTION_TENSORS,
  launchesOf,
  planConv,
  usualWorkspace,
} from '../run.ts';
import { sumOf } from '../terms.ts';
import { candidatesFor, type Candidate } from './candidates.ts';
import type { Sum } from '../../../error-bound.ts';
import { checkExtras } from './extras.ts';
import { Judge, type Mistake, type Verdict } from './judge.ts';
import { rank } from './rank.ts';
import type { Choice, FindOptions, FindResult, LaunchResult } from './types.ts';

/** The baseline algorithm and its baseline variants. */
const REFERENCE = 'direct';
const PLAIN: readonly string[] = [NAMES.plain, NAMES.weight];

/** A launch is measured more than once if its first time is within this factor of the best, plus this slack. */
const ROUGHLY = 4;
const SLACK_MS = { timestamps: 0.3, wall: 5 } as const;
/** A single time shorter than this may be a disturbance: it is measured once more before it rules a launch out. */
const HICCUP_MS = 100;
const ROUGH_SAMPLES = 3;
/** Rough times that fall to less than this share of what they were are not of the same clock rate. */
const FASTER = 0.9;
/** A variant is measured thoroughly if it is this close to the best, or perhaps as fast. */
const NEAR = 1.5;
const SAMPLES = 10;
const MINIMUM_MS = 4;
/** The approximate time for this many samples of one launch. */
const MAX_MS = 1000;

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type Outcome = Without<LaunchResult, 'algorithm' | 'launch' | 'workspaceBytes' | 'shaders'>;

/** A candidate during the search. */
interface Trial {
  candidate: Candidate;
  builder: PlanBuilder;
  shaders: string[];
  /** Why its pipeline could not be created, once known. */
  compiled: Promise<string | undefined>;
  /** Milliseconds of its first run after a warm-up. */
  first: number;
  /** Relative error at the sampled places. */
  error: number;
  /** Its result so far. */
  tried?: LaunchResult;
}

/**
 * Never throws for a launch that is broken.
 * @throws Failure `cancelled` if `options.signal` is aborted, `device-lost` if the device is lost meanwhile
 */
export async function find(
  device: Device,
  problem: ConvProblem,
  direction: Direction,
  options: FindOptions = {},
): Promise<FindResult> {
  const start = performance.now();
  await fetchShaders();
  const { workspace = usualWorkspace(device), number = 'f32', launchSize } = options;
  const setting: ConvSetting = { device, problem, workspace, number, launchSize };
  const { candidates, absent } = candidatesFor(setting, direction, options);
  const found = (tried: LaunchResult[], doubt?: string): FindResult => ({
    problem,
    direction,
    number,
    workspace,
    tried,
    absent,
    ...ranking(tried),
    ...(doubt === undefined ? {} : { doubt }),
    elapsedMs: performance.now() - start,
  });
  const noRoom = (reason: string): FindResult => {
    const names = new Set(candidates.map(({ algorithm }) => algorithm.name));
    absent.push(...[...names].map((algorithm) => ({ algorithm, reason })));
    return found([]);
  };
  const tooLarge = whyTooLarge(setting, direction);
  if (tooLarge !== undefined) return noRoom(tooLarge);
  if (candidates.length === 0) return found([]);
  let judge: Judge;
  try {
    judge = await Judge.create(setting, direction);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'out-of-memory') throw error;
    return noRoom(error.message);
  }
  let stopwatch: Stopwatch | undefined;
  try {
    stopwatch = await Stopwatch.create(device);
    const search = new Search({ setting, direction, options, judge, stopwatch }, candidates);
    await search.run();
    return found(search.tried, search.doubt);
  } finally {
    stopwatch?.destroy();
    judge.destroy();
  }
}

/** Why the GPU cannot hold the problem at all. */
function whyTooLarge(setting: ConvSetting, direction: Direction): string | undefined {
  const { device, problem } = setting;
  const limit = Math.min(device.limit('maxBufferSize'), device.limit('maxStorageBufferBindingSize'));
  const { inputs, output } = DIRECTION_TENSORS[direction];
  for (const name of [...inputs, output]) {
    const bytes = tensorBytes({ shape: convTensorShape(problem, name), type: convTensorType(setting, name) });
    if (bytes <= limit) continue;
    return `${name} takes ${mebibytes(bytes)}, and this device allows ${mebibytes(limit)} in one piece`;
  }
  return undefined;
}

/** The fastest, and those that are perhaps as fast. */
function ranking(tried: readonly LaunchResult[]): Pick<FindResult, 'best' | 'ties' | 'unclear'> {
  const choiceOf = ({ algorithm, launch }: Choice): Choice => ({ algorithm, launch });
  const { best, ties, unclear } = rank(tried.filter((one) => one.outcome === 'timed'));
  return {
    ...(best ? { best: choiceOf(best) } : {}),
    ties: ties.map(choiceOf),
    unclear: unclear.map(choiceOf),
  };
}

interface SearchParts {
  setting: ConvSetting;
  direction: Direction;
  options: FindOptions;
  judge: Judge;
  stopwatch: Stopwatch;
}

class Search {
  /** Why results are checked at sampled places only. */
  doubt: string | undefined;
  private readonly trials: readonly Trial[];
  private readonly referenceSum: Sum;

  constructor(
    private readonly parts: SearchParts,
    candidates: readonly Candidate[],
  ) {
    this.referenceSum = this.sumOf(convAlgorithms.get(REFERENCE));
    // Compile all pipelines in parallel first: that takes most of the time.
    this.trials = candidates.map((candidate) => this.start(candidate));
  }

  get tried(): LaunchResult[] {
    return this.trials.flatMap(({ tried }) => tried ?? []);
  }

  async run(): Promise<void> {
    const { trials } = this;
    const { judge, stopwatch } = this.parts;
    const reference = this.runReference();
    judge.prepare();
    await reference;
    await this.compiled();
    await this.settle();
    // If one proves that the reference is incorrect, all are checked again without it.
    while (!(await this.checkAll())) judge.dropReference();
    // It had little to do while results were checked.
    await this.settle();

    const sound = trials.filter(({ tried }) => tried === undefined);
    const limit = ROUGHLY * Math.min(...sound.map(({ first }) => first)) + SLACK_MS[stopwatch.kind];
    for (const trial of sound) {
      if (trial.first > limit && trial.first < HICCUP_MS) await this.timeAgain(trial);
      if (trial.tried?.outcome === 'failed') continue;
      if (trial.first > limit)
        this.timed(trial, { samples: [trial.first], repetitions: 1, clock: stopwatch.kind });
    }
    const close = sound.filter(({ first }) => first <= limit);
    await this.timeRoughly(close);
    // If the device became faster meanwhile, those that came first seem slow.
    if (await this.isFasterNow(close)) await this.timeRoughly(close);
    const { best } = rank(this.tried.filter((tried) => tried.outcome === 'timed'));
    for (const trial of sound) {
      const { tried, first } = trial;
      if (best === undefined || tried?.outcome !== 'timed' || first > limit) continue;
      const isSlower = tried.median > NEAR * best.median && tried.interval[0] > best.interval[1];
      if (isSlower) continue;
      await this.time(trial, this.parts.options.samples ?? SAMPLES, tried.median);
    }
    await this.confirm();
  }

  private async timeRoughly(trials: readonly Trial[]): Promise<void> {
    for (const trial of trials) {
      if (trial.tried === undefined || trial.tried.outcome === 'timed')
        await this.time(trial, ROUGH_SAMPLES, trial.first);
    }
  }

  /** Times the first of several again. True if it takes clearly less than before. */
  private async isFasterNow([first, ...others]: readonly Trial[]): Promise<boolean> {
    const before = first?.tried;
    if (before?.outcome !== 'timed' || others.length === 0 || this.parts.setting.device.onProcessor)
      return false;
    await this.time(first, ROUGH_SAMPLES, before.median);
    return first.tried?.outcome === 'timed' && first.tried.median < FASTER * before.median;
  }

  private async compiled(): Promise<void> {
    const { onCompiled } = this.parts.options;
    let done = 0;
    await Promise.all(
      this.trials.map(async ({ compiled }) => {
        await compiled;
        onCompiled?.(++done, this.trials.length);
      }),
    );
  }

  /** Checks the fastest with bias, ReLU and masks; if it fails, the next one is the fastest. */
  private async confirm(): Promise<void> {
    const { setting, direction, judge } = this.parts;
    const median = ({ tried }: Trial) => (tried?.outcome === 'timed' ? tried.median : Infinity);
    for (const trial of this.trials.toSorted((a, b) => median(a) - median(b))) {
      if (trial.tried?.outcome !== 'timed') return;
      const { launch, algorithm } = trial.candidate;
      this.requireGoOn();
      try {
        const mistake = await checkExtras(setting, direction, launch, judge, this.sumOf(algorithm));
        if (mistake === undefined) return;
        this.wrong(trial, mistake);
      } catch (error) {
        this.report(trial, { outcome: 'failed', reason: this.reasonOf(error) });
      }
    }
  }

  private requireGoOn(): void {
    if (this.parts.options.signal?.aborted) throw new Failure('cancelled', 'The search was stopped.');
  }

  /** The GPU was idle while pipelines compiled. */
  private async settle(): Promise<void> {
    for (const trial of this.trials) {
      if ((await trial.compiled) !== undefined) continue;
      return this.withPlan(trial, async (plan) => {
        await this.parts.stopwatch.settle((pass) => plan.encode(pass));
      });
    }
  }

  private start(candidate: Candidate): Trial {
    const { device } = this.parts.setting;
    const builder = new PlanBuilder(device);
    const trial: Trial = {
      candidate,
      builder,
      shaders: [],
      first: NaN,
      error: NaN,
      compiled: Promise.resolve(undefined),
    };
    try {
      planConv(builder, candidate.launch.name, candidate.launch, this.parts.judge.tensors);
      const names = builder.kernels.map(({ shader }) => shader);
      trial.shaders = [...new Set(names.flatMap((name) => device.kernels.filesOf(name)))];
    } catch (error) {
      trial.compiled = Promise.resolve(this.reasonOf(error));
      return trial;
    }
    trial.compiled = Promise.all(builder.kernels.map((kernel) => device.kernels.get(kernel))).then(
      () => undefined,
      (error: unknown) => this.reasonOf(error),
    );
    // The loss of the device is handled where it is awaited.
    trial.compiled.catch(() => undefined);
    return trial;
  }

  /**
   * The message of an error of this variant: the search continues with the others. Shaders that users edit
   * can break every assumption of a variant.
   * @throws all other errors
   */
  private reasonOf(error: unknown): string {
    this.parts.setting.device.requireAlive();
    if (error instanceof Failure && ['cancelled', 'device-lost'].includes(error.code)) throw error;
    return (error as Error).message;
  }

  private async runReference(): Promise<void> {
    const { setting, direction, judge } = this.parts;
    const algorithm = convAlgorithms.get(REFERENCE);
    // Its workspace does not count towards the limit.
    const roomy = { ...setting, workspace: Math.max(setting.workspace, usualWorkspace(setting.device)) };
    try {
      const launches = launchesOf(algorithm, roomy, direction);
      const launch = launches.find(({ name }) => PLAIN.includes(name)) ?? launches[0];
      const { output } = DIRECTION_TENSORS[direction];
      const plan = await this.compile(launch, { ...judge.tensors, [output]: judge.reference });
      try {
        judge.poison('reference');
        await setting.device.checked(launch.name, () => plan.run());
        const wrong = await judge.adoptReference(this.referenceSum);
        if (wrong !== undefined) this.doubtReference(wrong);
      } finally {
        plan.destroy();
      }
    } catch (error) {
      this.doubtReference(this.reasonOf(error));
    }
  }

  private async compile(launch: Launch<Direction>, tensors: Judge['tensors']): Promise<Plan> {
    const builder = new PlanBuilder(this.parts.setting.device);
    planConv(builder, launch.name, launch, tensors);
    return builder.compile();
  }

  private doubtReference(reason: string): void {
    this.doubt = `${REFERENCE}, the reference for all numbers, is itself wrong: ${reason}. Only numbers at some places were checked.`;
  }

  /** Runs every launch for the first time and checks it. False if the reference proved incorrect meanwhile. */
  private async checkAll(): Promise<boolean> {
    for (const trial of this.trials) {
      delete trial.tried;
      const reason = await trial.compiled;
      if (reason !== undefined) {
        this.report(trial, { outcome: 'failed', reason });
        continue;
      }
      let agreed = true;
      await this.withPlan(trial, async (plan) => {
        this.parts.judge.poison();
        await this.parts.setting.device.checked(trial.candidate.launch.name, () => plan.run());
        // In the second run, the workspace contains leftovers of the first.
        trial.first = await this.parts.stopwatch.once((pass) => plan.encode(pass));
        const verdict = await this.verdict(trial);
        if (verdict.sound) trial.error = verdict.error;
        else if (verdict.reference === undefined) this.wrong(trial, verdict);
        else agreed = false;
        if (!agreed && !verdict.sound) this.doubtReference(verdict.reason);
      });
      if (!agreed) return false;
    }
    return true;
  }

  private async timeAgain(trial: Trial): Promise<void> {
    await this.withPlan(trial, async (plan) => {
      const encode: Encode = (pass) => plan.encode(pass);
      await this.parts.stopwatch.once(encode);
      trial.first = Math.min(trial.first, await this.parts.stopwatch.once(encode));
    });
  }

  private async time(trial: Trial, samples: number, expectedMs: number): Promise<void> {
    await this.withPlan(trial, async (plan) => {
      const minimumMs = this.parts.options.minimumMs ?? MINIMUM_MS;
      const mostMs = MAX_MS * Math.max(1, samples / SAMPLES);
      const options = { samples, minimumMs, expectedMs, mostMs };
      const encode: Encode = (pass) => plan.encode(pass);
      await this.parts.stopwatch.settle(encode);
      const timing = await this.parts.stopwatch.time(encode, options);
      // The result after many runs is checked too: a data race may show only now.
      const verdict = await this.verdict(trial);
      if (verdict.sound) this.timed(trial, timing);
      else this.wrong(trial, verdict);
    });
  }

  private async withPlan(trial: Trial, work: (plan: Plan) => Promise<void>): Promise<void> {
    this.requireGoOn();
    try {
      const plan = await this.compile(trial.candidate.launch, this.parts.judge.tensors);
      try {
        await work(plan);
      } finally {
        plan.destroy();
      }
    } catch (error) {
      this.report(trial, { outcome: 'failed', reason: this.reasonOf(error) });
    }
  }

  private verdict({ candidate }: Trial): Promise<Verdict> {
    return this.parts.judge.verdict(this.sumOf(candidate.algorithm), this.referenceSum);
  }

  private sumOf(algorithm: ConvAlgorithm): Sum {
    const { setting, direction } = this.parts;
    return sumOf(algorithm, setting.problem, direction);
  }

  private timed(trial: Trial, { samples, repetitions, clock }: Timing): void {
    this.report(trial, {
      outcome: 'timed',
      ...spreadOf(samples),
      interval: medianInterval(samples),
      samples: samples.length,
      repetitions,
      clock,
      error: trial.error,
      dispatches: trial.builder.length,
    });
  }

  private wrong(trial: Trial, { reason, error }: Mistake): void {
    this.report(trial, { outcome: 'wrong', reason, error });
  }

  private report(trial: Trial, what: Outcome): void {
    const { algorithm, launch } = trial.candidate;
    const { workspaceBytes, name } = launch;
    trial.tried = {
      algorithm: algorithm.name,
      launch: name,
      workspaceBytes,
      ...what,
      shaders: trial.shaders,
    };
    this.parts.options.onTried?.(trial.tried);
  }
}
