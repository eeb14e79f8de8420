/** The kernels that fused and non-fused launches of fprop and dgrad share. */
import { SPREAD } from '../../../../cost.ts';
import type { Constants } from '../../../../../gpu/link.ts';
import type { PlanBuilder, Tensor } from '../../../../plan.ts';
import type { ConvSetting, ConvTensors, Launch } from '../../algorithm.ts';
import type { Variant } from './cook_toom.ts';
import { filterNumbers, threadsOver, type WinogradCorrelation, winogradShader } from './shape.ts';

/** The computation, apart from its tensors. */
export interface WinogradWork {
  readonly variant: Variant;
  readonly setting: ConvSetting;
  readonly correlation: WinogradCorrelation;
}

/** What a correlation reads and writes: fprop's or dgrad's tensors, by their role. */
export interface WinogradTensors {
  image: Tensor;
  w: Tensor;
  bias?: Tensor;
  relu?: boolean;
  mask?: Tensor;
  result: Tensor;
}

/** One way to run a correlation. */
export interface WinogradLaunch extends Omit<Launch<'fprop'>, 'add'> {
  add(plan: PlanBuilder, label: string, tensors: WinogradTensors): void;
}

export const asFprop = (launch: WinogradLaunch): Launch<'fprop'> => ({
  ...launch,
  add: (plan, label, { x, y, ...tensors }: ConvTensors['fprop']) =>
    launch.add(plan, label, { ...tensors, image: x, result: y }),
});

export const asDgrad = (launch: WinogradLaunch): Launch<'dgrad'> => ({
  ...launch,
  add: (plan, label, { dy, dx, ...tensors }: ConvTensors['dgrad']) =>
    launch.add(plan, label, { ...tensors, image: dy, result: dx }),
});

/** Constants of shaders/conv/winograd/tiles.wgsl. */
export const tileConstants = ({ setting, correlation: { tiles } }: WinogradWork): Constants => ({
  Number: setting.number,
  TILES_V: tiles[0],
  TILES_H: tiles[1],
  NHWC: setting.problem.layout === 'nhwc',
});

/** Channels per group: those that are summed over, and those of the results. */
export function channelConstants({ setting, correlation: { image, result } }: WinogradWork) {
  const { groups } = setting.problem;
  return { GROUPS: groups, INNER: image.channels / groups, OUTER: result.channels / groups };
}

/** Bytes of the transformed filters. */
export const filterBytes = ({ variant, setting, correlation }: WinogradWork): number =>
  4 * filterNumbers(variant, correlation, setting.problem);

/** Adds the filters' transform and returns its output. */
export function planFilters(plan: PlanBuilder, label: string, work: WinogradWork, w: Tensor): Tensor {
  const { variant, setting, correlation } = work;
  const { INNER, OUTER, GROUPS } = channelConstants(work);
  const { constants, workgroups } = threadsOver(OUTER, GROUPS * INNER);
  const filters = plan.tensor(`${label} filters`, [filterNumbers(variant, correlation, setting.problem)]);
  plan.dispatch({
    label: `${label} filters`,
    kernel: {
      shader: winogradShader('filter', variant),
      constants: {
        ...tileConstants(work),
        ...constants,
        GROUPS,
        INNER,
        OUTER,
        BACKWARD: correlation.backward,
        PHASES_V: correlation.phases[0],
        PHASES_H: correlation.phases[1],
        R: setting.problem.R,
        S: setting.problem.S,
      },
    },
    tensors: { w, positions: filters },
    uniforms: { N: setting.problem.N, FIRST: 0, FIRST_FILTER: 0 },
    workgroups,
    spread: SPREAD.cached,
  });
  return filters;
}

/** What shaders/conv/winograd/results.wgsl binds. */
export const resultTensors = ({ w, bias, mask, result }: WinogradTensors) => ({
  bias: bias ?? w,
  mask: mask ?? w,
  results: result,
});

/** Constants of shaders/conv/winograd/results.wgsl. */
export function resultConstants(
  work: WinogradWork,
  { bias, relu = false, mask }: WinogradTensors,
): Constants {
  const { variant, setting, correlation } = work;
  const { result, phases } = correlation;
  const { layout, padding } = setting.problem;
  // In NCHW, a row of a tile is stored as one vector if the image's rows are multiples of it.
  const dense = Math.max(...phases) === 1;
  const whole = dense && layout === 'nchw' && result.columns % variant.M === 0;
  const vector = `vec${variant.M}${setting.number === 'f16' ? 'h' : 'f'}`;
  return {
    CHANNELS: result.channels,
    ROWS: result.rows,
    COLUMNS: result.columns,
    PHASES_V: phases[0],
    PHASES_H: phases[1],
    BEFORE_V: padding.top % phases[0],
    BEFORE_H: padding.left % phases[1],
    HAS_BIAS: bias !== undefined,
    RELU: relu,
    MASK: mask !== undefined,
    VEC2: whole && variant.M === 2,
    VEC4: whole && variant.M === 4,
    Piece: whole ? vector : setting.number,
  };
}
