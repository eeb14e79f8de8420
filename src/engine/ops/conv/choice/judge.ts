/**
 * Checks what variants compute: every value against a reference result on the GPU, and sampled values against
 * float64. Where a variant and the reference disagree, float64 decides which of them is incorrect.
 */
import { owning, type Owned } from '../../../../base/owned.ts';
import { elements } from '../../../../base/shape.ts';
import { wholeBuffer, type GpuBuffer } from '../../../../gpu/ledger.ts';
import { Readback } from '../../../../gpu/readback.ts';
import { grid, placedIn, PlanBuilder, tensorBytes, type Plan, type Tensor } from '../../../plan.ts';
import type { ConvSetting } from '../algorithm.ts';
import type { Direction } from '../problem.ts';
import { convTensorShape, convTensorType, DIRECTION_TENSORS, type ConvTensorName } from '../run.ts';
import { errorBound, uniformSize, type Sum } from '../../../error-bound.ts';
import { convNumber, samplePlaces } from '../sample.ts';
import { mostTerms } from '../terms.ts';
import { fill, filledWith, INPUT_SEEDS } from './inputs.ts';

export interface Mistake {
  /** What is incorrect, and where. */
  reason: string;
  /** Relative; null if values are not finite. */
  error: number | null;
}

export type Verdict =
  | { sound: true; error: number }
  | ({
      sound: false;
      /** The result is correct as far as is known: the reference is incorrect. */
      reference?: true;
    } & Mistake);

/** Largest error where values are stored in 16 bits, relative to the largest value. */
const F16_TOLERANCE = 1e-2;

/** NaN as float32, and as each of two float16. */
export const POISON = 0x7fff7fff;

const MAX_PLACES = 64;
const MIN_PLACES = 8;
/** Multiplications on the CPU for all sampled values: a few tenths of a second. */
const PRODUCTS = 12e6;

/** Threads that compare, at most. */
const THREADS = 65536;
/** Words that each of them writes: see compare.wgsl. */
const PART_WORDS = 6;

/** The letters of an index into a result. */
const INDEX = {
  nchw: { y: ['n', 'k', 'p', 'q'], dx: ['n', 'c', 'h', 'w'], dw: ['k', 'c', 'r', 's'] },
  nhwc: { y: ['n', 'p', 'q', 'k'], dx: ['n', 'h', 'w', 'c'], dw: ['k', 'r', 's', 'c'] },
} as const;

interface JudgeParts {
  setting: ConvSetting;
  direction: Direction;
  tensors: Readonly<Partial<Record<ConvTensorName, Tensor>>>;
  result: Tensor;
  reference: Tensor;
  plans: Readonly<Record<'fill' | 'poison' | 'spoil' | 'compare' | 'pick' | 'pickReference', Plan>>;
  /** What the threads of `compare` found. */
  parts: GpuBuffer;
  places: GpuBuffer;
  picked: GpuBuffer;
  owned: Owned;
  readback: Readback;
}

export class Judge {
  /** By flat index of the result. */
  private readonly exact = new Map<number, number>();
  /** Largest value of the reference, once known. */
  private scale: number | undefined;

  private constructor(private readonly made: JudgeParts) {}

  /** Inputs and result, by the names in DIRECTION_TENSORS. */
  get tensors(): JudgeParts['tensors'] {
    return this.made.tensors;
  }

  /** The target of a reference result. */
  get reference(): Tensor {
    return this.made.reference;
  }

  /** Allocates inputs and results. @throws Failure `out-of-memory` */
  static async create(setting: ConvSetting, direction: Direction): Promise<Judge> {
    const { device, problem } = setting;
    return owning(async (owned) => {
      const { own } = owned;
      const make = async (name: ConvTensorName, label: string = name) => {
        const shape = convTensorShape(problem, name);
        const type = convTensorType(setting, name);
        return placedIn(own(await device.ledger.storage(label, tensorBytes({ shape, type }))), shape, type);
      };
      const { inputs, output } = DIRECTION_TENSORS[direction];
      const [first, second] = [await make(inputs[0]), await make(inputs[1])];
      const result = await make(output);
      const reference = await make(output, `reference ${output}`);
      const count = elements(result.shape);
      const threads = Math.min(THREADS, Math.max(64, Math.ceil(count / 64)));
      const parts = own(await device.ledger.storage('parts', threads * PART_WORDS * 4));
      const places = own(await device.ledger.storage('places', MAX_PLACES * 4));
      const picked = own(await device.ledger.storage('picked', MAX_PLACES * 4));

      const constants = { HALF: result.type === 'f16' };
      const planned = (...add: ((plan: PlanBuilder) => void)[]): Promise<Plan> => {
        const builder = new PlanBuilder(device);
        for (const one of add) one(builder);
        return builder.compile().then(own);
      };
      const poison = (tensor: Tensor) => (plan: PlanBuilder) => {
        const words = Math.ceil(tensorBytes(tensor) / 4);
        plan.dispatch({
          label: 'poison',
          kernel: { shader: 'conv/choice/poison' },
          tensors: { words: tensor },
          uniforms: { words, poison: POISON },
          workgroups: grid(words, 64),
        });
      };
      const pick = (tensor: Tensor) => (plan: PlanBuilder) =>
        plan.dispatch({
          label: 'pick',
          kernel: { shader: 'conv/choice/pick', constants },
          tensors: {
            result: tensor,
            places: placedIn(places, [MAX_PLACES]),
            picked: placedIn(picked, [MAX_PLACES]),
          },
          uniforms: { count: MAX_PLACES },
          workgroups: grid(MAX_PLACES, 64),
        });
      const plans = {
        fill: await planned(
          (plan) => fill(plan, first, INPUT_SEEDS[inputs[0]]),
          (plan) => fill(plan, second, INPUT_SEEDS[inputs[1]]),
        ),
        poison: await planned(poison(result)),
        spoil: await planned(poison(reference)),
        compare: await planned((plan) =>
          plan.dispatch({
            label: 'compare',
            kernel: { shader: 'conv/choice/compare', constants },
            tensors: { result, reference, parts: placedIn(parts, [threads * PART_WORDS]) },
            uniforms: { count, threads },
            workgroups: grid(threads, 64),
          }),
        ),
        pick: await planned(pick(result)),
        pickReference: await planned(pick(reference)),
      };
      const tensors = { [inputs[0]]: first, [inputs[1]]: second, [output]: result };
      const readback = own(new Readback(device));
      const judge = new Judge({
        setting,
        direction,
        tensors,
        result,
        reference,
        plans,
        parts,
        places,
        picked,
        owned,
        readback,
      });
      plans.fill.run();
      return judge;
    });
  }

  destroy(): void {
    this.made.owned.destroy();
  }

  /** Fills the result, or the reference, with NaN. */
  poison(which: 'result' | 'reference' = 'result'): void {
    this.made.plans[which === 'result' ? 'poison' : 'spoil'].run();
  }

  /**
   * Computes values of the result in float64, while the GPU continues with submitted work.
   */
  prepare(): void {
    const terms = mostTerms(this.made.setting.problem, this.made.direction);
    const count = Math.max(MIN_PLACES, Math.min(MAX_PLACES, Math.floor(PRODUCTS / terms)));
    for (const place of samplePlaces(this.made.result.shape, count)) this.lookAt(place);
  }

  /**
   * Checks the reference. If it is correct, results are compared with all of it from now on.
   * @returns what is wrong with it
   */
  async adoptReference(sum: Sum): Promise<string | undefined> {
    const { badReference, largest } = await this.compare();
    if (badReference > 0)
      return `${badReference} of ${elements(this.made.result.shape)} numbers are not finite`;
    this.scale = largest;
    const wrong = this.worstOf(await this.pick('pickReference', this.sampled), sum).mistake;
    if (wrong) this.scale = undefined;
    return wrong?.reason;
  }

  /** From now on, results are compared with float64 only. */
  dropReference(): void {
    this.scale = undefined;
  }

  /**
   * Checks the current result.
   * @param sum how the launch sums up: see ../../../error-bound.ts
   * @param reference how the reference does
   */
  async verdict(sum: Sum, reference: Sum): Promise<Verdict> {
    const { difference, worst, bad, firstBad } = await this.compare();
    if (bad > 0) return { sound: false, reason: this.describeBad(bad, firstBad), error: null };
    const { mistake, error } = this.worstOf(await this.pick('pick', this.sampled), sum);
    if (mistake) return { sound: false, ...mistake };
    if (this.scale === undefined || difference <= this.bound(sum) + this.bound(reference))
      return { sound: true, error };
    // They disagree at a place that was not sampled; from now on, it is sampled for every variant.
    this.lookAt(worst);
    const [number] = await this.pick('pick', [worst]);
    const [expected] = await this.pick('pickReference', [worst]);
    const own = this.mistakeAt(worst, number, sum);
    if (own) return { sound: false, ...own };
    const other = this.mistakeAt(worst, expected, reference);
    return other
      ? { sound: false, reason: other.reason, error: null, reference: true }
      : { sound: true, error };
  }

  /** Where result and reference differ by more than errors may; both come from the same launch. */
  async disagreement(sum: Sum): Promise<Mistake | undefined> {
    const { difference, worst, largest, bad, firstBad } = await this.compare();
    if (bad > 0) return { reason: this.describeBad(bad, firstBad), error: null };
    if (difference <= this.bound(sum, largest)) return undefined;
    const error = difference / largest;
    return { reason: `${this.nameOf(worst)} is off by ${difference.toPrecision(3)}`, error };
  }

  private describeBad(bad: number, first: number): string {
    const count = elements(this.made.result.shape);
    return `${bad} of ${count} numbers are not finite, or were never written; the first is ${this.nameOf(first)}`;
  }

  /** The largest error that a value may have: see ../../../error-bound.ts. */
  private bound(sum: Sum, scale = this.scale ?? this.largestExact): number {
    if (this.made.setting.number === 'f16') return F16_TOLERANCE * scale;
    return errorBound(sum, uniformSize(sum.terms), elements(this.made.result.shape));
  }

  /** What is wrong with a value at a sampled place. */
  private mistakeAt(place: number, found: number, sum: Sum): Mistake | undefined {
    const value = this.exact.get(place) as number;
    const difference = Math.abs(found - value);
    const bound = this.bound(sum);
    if (difference <= bound) return undefined;
    const scale = this.scale ?? this.largestExact;
    const [error, allowed] = [difference / scale, bound / scale].map((one) => one.toExponential(1));
    const reason =
      `${this.nameOf(place)} is ${found.toPrecision(8)}, and in float64 ${value.toPrecision(8)} ` +
      `(relative error ${error}, allowed ${allowed})`;
    return { reason, error: Number.isNaN(difference) ? null : difference / scale };
  }

  private get sampled(): number[] {
    return [...this.exact.keys()];
  }

  /** Adds a place where every result is checked, replacing another one. */
  private lookAt(place: number): void {
    const { sampled } = this;
    if (sampled.length >= MAX_PLACES) this.exact.delete(sampled[sampled.length - 1]);
    const [a, b] = DIRECTION_TENSORS[this.made.direction].inputs;
    const { problem, number } = this.made.setting;
    const inputs = [filledWith(INPUT_SEEDS[a], number), filledWith(INPUT_SEEDS[b], number)] as const;
    this.exact.set(place, convNumber(problem, this.made.direction, inputs, place));
  }

  /** The largest error at the sampled places, relative to the largest value, and the worst that is too large. */
  private worstOf(found: readonly number[], sum: Sum): { error: number; mistake?: Mistake } {
    const { sampled } = this;
    const scale = this.scale ?? this.largestExact;
    let error = 0;
    let mistake: Mistake | undefined;
    sampled.forEach((place, i) => {
      const own = this.mistakeAt(place, found[i], sum);
      if (own && (own.error ?? Infinity) > (mistake?.error ?? 0)) mistake = own;
      const difference = Math.abs(found[i] - (this.exact.get(place) as number));
      if (difference > 0) error = Math.max(error, difference / scale);
    });
    return { error, ...(mistake ? { mistake } : {}) };
  }

  private get largestExact(): number {
    return Math.max(...[...this.exact.values()].map(Math.abs));
  }

  private async pick(plan: 'pick' | 'pickReference', places: readonly number[]): Promise<number[]> {
    const padded = new Uint32Array(MAX_PLACES);
    padded.set(places);
    const { device } = this.made.setting;
    device.requireAlive();
    device.queue.writeBuffer(this.made.places.raw, 0, padded);
    this.made.plans[plan].run();
    return [...(await this.made.readback.floats(wholeBuffer(this.made.picked)))].slice(0, places.length);
  }

  private async compare() {
    this.made.plans.compare.run();
    const bytes = await this.made.readback.read(wholeBuffer(this.made.parts));
    const [words, floats] = [new Uint32Array(bytes), new Float32Array(bytes)];
    let [difference, worst, largest, bad, firstBad, badReference] = [0, 0, 0, 0, Infinity, 0];
    for (let i = 0; i < words.length; i += PART_WORDS) {
      if (floats[i] > difference) [difference, worst] = [floats[i], words[i + 1]];
      largest = Math.max(largest, floats[i + 2]);
      bad += words[i + 3];
      if (words[i + 3] > 0) firstBad = Math.min(firstBad, words[i + 4]);
      badReference += words[i + 5];
    }
    return { difference, worst, largest, bad, firstBad, badReference };
  }

  /** "y[n 0, k 3, p 5, q 7]" */
  private nameOf(place: number): string {
    const { output } = DIRECTION_TENSORS[this.made.direction];
    const index: number[] = [];
    let rest = place;
    for (const length of this.made.result.shape.toReversed()) {
      index.unshift(rest % length);
      rest = Math.floor(rest / length);
    }
    return `${output}[${INDEX[this.made.setting.problem.layout][output].map((letter, i) => `${letter} ${index[i]}`).join(', ')}]`;
  }
}
