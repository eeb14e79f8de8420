import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import type { KernelSource } from '../../gpu/kernels.ts';
import { ALIGNMENT } from '../memory.ts';
import { isFrozen, type ParameterLayout } from '../network.ts';
import { grid, type PlanBuilder, type Tensor, type Workgroups } from '../plan.ts';
import type { BlockEntry, OptimizerSettings, OptimizerTensors } from './optimizer.ts';

/** Values per element of the block table. Each parameter starts at a multiple of it, so no word covers two. */
const BLOCK = ALIGNMENT / 4;

/** What the optimiser does with a block: flags, as in optimizers/blocks.wgsl. */
const TRAINED = 1;
const DECAYED = 2;
const MATRIX = 4;

/** The content of a slot of `OptimizerTensors.faults` before its step, and after it if all is finite. */
export const NOWHERE = 0xffffffff;
/** Words per slot. */
export const FAULT_WORDS = 2;

/**
 * Adds a dispatch of an optimiser.
 * @param kernel imports optimizers/update and binds the states under their names
 * @param workgroups default: one thread per parameter
 */
export function planUpdate(
  plan: PlanBuilder,
  label: string,
  kernel: KernelSource,
  { parameters, gradients, states, blocks, factors, faults }: OptimizerTensors,
  workgroups: Workgroups = grid(elements(parameters.shape), 64),
): void {
  const count = elements(parameters.shape);
  plan.dispatch({
    label,
    kernel: {
      ...kernel,
      constants: {
        ...kernel.constants,
        ...blockConstants(blocks),
        WATCHED: faults !== undefined,
        FACTORED: factors !== undefined,
      },
    },
    tensors: {
      parameters,
      gradients,
      ...states,
      blocks: blocks ?? noBlocks(plan),
      factors: factors ?? plan.tensor('no factors', [1, 4]),
      faults: faults ?? plan.tensor('no faults', [FAULT_WORDS]),
    },
    uniforms: { count },
    workgroups,
  });
}

type BlockLayout = Pick<ParameterLayout, 'length'> & { entries: readonly BlockEntry[] };

/** Constants and table of a kernel that imports optimizers/blocks. */
export const blockConstants = (blocks: Tensor | undefined) => ({ SELECTIVE: blocks !== undefined, BLOCK });
export const noBlocks = (plan: PlanBuilder): Tensor => plan.constant('no blocks', Uint32Array.of(0, 0));

/** The layer of a parameter: "conv1" of "conv1.weight". */
const layerOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));

/**
 * What the optimiser does with each block of parameters; undefined if all are treated alike.
 * @param layout of the flat buffers; offsets are multiples of BLOCK
 * @param matrices those that the optimiser updates as matrices
 * @returns per block, flags and the factor of the learning rate, as in optimizers/blocks.wgsl
 * @throws Failure `bad-input` for layers or parameters that do not exist
 */
export function blockTable(
  plan: PlanBuilder,
  { length: count, entries }: BlockLayout,
  settings: OptimizerSettings,
  matrices: readonly BlockEntry[] = [],
): Tensor | undefined {
  const layers = new Set(entries.map(({ name }) => layerOf(name)));
  for (const frozen of settings.freeze) {
    if ([...layers].some((layer) => isFrozen([frozen], layer))) continue;
    throw new Failure(
      'bad-input',
      `no layer with parameters is named "${frozen}", which was to be frozen`,
      `Choose some of ${[...layers].join(', ')}.`,
    );
  }
  const flagsOf = (entry: BlockEntry): number => {
    const { name, shape } = entry;
    if (isFrozen(settings.freeze, layerOf(name))) return 0;
    // Biases, and the scales and shifts of batch norm, have one dimension.
    const isDecayed = settings.decay1d || shape.length > 1;
    return TRAINED | (isDecayed ? DECAYED : 0) | (matrices.includes(entry) ? MATRIX : 0);
  };
  const factorOf = rateFactors(
    settings.lrFactors,
    entries.map(({ name }) => name),
  );
  const table = new Uint32Array(2 * Math.ceil(count / BLOCK));
  const factors = new Float32Array(table.buffer);
  for (const entry of entries) {
    const end = Math.ceil((entry.offset + entry.length) / BLOCK);
    for (let block = entry.offset / BLOCK; block < end; block++) {
      table[2 * block] = flagsOf(entry);
      factors[2 * block + 1] = factorOf(entry.name);
    }
  }
  const isSelective = entries.some(
    (entry) => flagsOf(entry) !== (TRAINED | DECAYED) || factorOf(entry.name) !== 1,
  );
  return isSelective ? plan.constant('blocks', table) : undefined;
}

/**
 * Factors of the learning rate by parameter name. In a pattern, * stands for any characters; a layer's name stands for all
 * its parameters. Of several that fit, the last one counts.
 * @param factors "PATTERN=FACTOR"
 * @throws Failure `bad-input` for one that is not written so, or fits no parameter
 */
export function rateFactors(factors: readonly string[], names: readonly string[]): (name: string) => number {
  const rules = factors.map((text) => {
    const [, pattern, factor] = /^([\w.*-]+)=(\d+\.?\d*(?:e-?\d+)?|\.\d+)$/.exec(text.trim()) ?? [];
    if (factor === undefined) {
      throw new Failure(
        'bad-input',
        `expected a layer or parameter and the factor of its learning rate, such as fc=2, found "${text}"`,
      );
    }
    const escaped = pattern.replaceAll('.', '\\.').replaceAll('*', '.*');
    const rule = { fits: new RegExp(`^${escaped}(\\.|$)`), factor: Number(factor) };
    if (!names.some((name) => rule.fits.test(name))) {
      throw new Failure(
        'bad-input',
        `no layer or parameter is named "${pattern}", whose learning rate was to change`,
        `Choose some of ${names.join(', ')}.`,
      );
    }
    return rule;
  });
  return (name) => rules.findLast(({ fits }) => fits.test(name))?.factor ?? 1;
}
