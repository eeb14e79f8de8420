/** The bias's gradient in separate dispatches, for algorithms whose wgrad has no natural place for it. */
import { sliceBytes, slicedGradients } from '../../gemm/slices.ts';
import { wgslVectorType } from '../../dispatch.ts';
import { grid, type PlanBuilder, type Tensor } from '../../plan.ts';
import { sumThreads } from '../../shared-sum.ts';
import { channelSlices } from '../channel_slices.ts';
import { problemConstants, type ConvSetting } from './algorithm.ts';

/** The number of parts of each filter's sum over N, P and Q. */
const slicesOf = ({ device, workspace, problem: { N, K, P, Q } }: ConvSetting): number =>
  Math.max(1, Math.min(channelSlices(device, K, N * P * Q), Math.floor(workspace / (4 * K))));

/** Bytes of workspace that `planBiasGradient` needs. */
export const biasGradientBytes = (setting: ConvSetting): number =>
  sliceBytes(slicesOf(setting), setting.problem.K, 0);

/**
 * Adds db = the sum of dy over images and pixels to `plan`.
 * @param dy in the setting's layout and type
 * @param db [K]
 */
export function planBiasGradient(
  plan: PlanBuilder,
  label: string,
  setting: ConvSetting,
  dy: Tensor,
  db: Tensor,
): void {
  const { device, problem, number } = setting;
  const { N, K, P, Q } = problem;
  const slices = slicesOf(setting);
  const shared = !device.onProcessor;
  const vec4 = problem.layout === 'nchw' && (P * Q) % 4 === 0;
  const sliced = slicedGradients(plan, label, slices, db, undefined);
  plan.dispatch({
    label,
    kernel: {
      shader: 'conv/bias_gradient/slices',
      constants: {
        ...problemConstants(setting),
        VEC4: vec4,
        SHARED: shared,
        THREADS: shared ? sumThreads(device) : 16,
        SLICES: slices,
        Piece: wgslVectorType(number, vec4),
      },
    },
    tensors: { dy, db: sliced.dw },
    uniforms: { N },
    workgroups: grid(K * slices, shared ? 1 : 16),
  });
  sliced.finish();
}
