/**
 * dgrad with strides above 1, one product for each group and phase: pixels of dx whose rows and columns leave the same
 * remainders meet the same positions of the filter. See shaders/conv/implicit_gemm/dgrad_strided.wgsl.
 */
import { SPREAD, TABLE_COST } from '../../../../cost.ts';
import { sliceBytes } from '../../../../gemm/slices.ts';
import { productConstants } from '../../../../gemm/tile-constants.ts';
import { tileWork } from '../../../../gemm/tile-time.ts';
import { tileGrid, type ProductSize } from '../../../../gemm/tiles.ts';
import { problemConstants, type ConvSetting, type Launch } from '../../algorithm.ts';
import { flops, type ConvProblem } from '../../problem.ts';
import { inSlices, nameOf, waysOf, type GemmWay } from './ways.ts';

/**
 * The phases and their positions of the filter, as the shader reads them.
 * @param channels of dy whose positions are listed one after the other
 */
export function phaseTable(problem: ConvProblem, channels: number): Uint32Array<ArrayBuffer> {
  const { C, H, W, R, S, P, Q, stride, padding, dilation, groups } = problem;
  const along = (length: number, filter: number, d: 0 | 1, before: number) =>
    Array.from({ length: stride[d] }, (_, phase) => {
      const first = (((phase - before) % stride[d]) + stride[d]) % stride[d];
      const count = Math.max(0, Math.ceil((length - first) / stride[d]));
      const met = Array.from({ length: filter }, (__, at) => ({
        at,
        reach: first + before - at * dilation[d],
      }));
      return { first, count, met: met.filter(({ reach }) => reach % stride[d] === 0) };
    });
  const phases = along(H, R, 0, padding.top).flatMap((rows) =>
    along(W, S, 1, padding.left).map((columns) => ({ rows, columns })),
  );
  const header: number[] = [];
  const positions: number[] = [];
  for (const { rows, columns } of phases) {
    const start = 2 * phases.length + positions.length / 4;
    for (let k = 0; k < channels; k++) {
      for (const r of rows.met) {
        for (const s of columns.met) {
          const weight = (k * (C / groups) * R + r.at) * S + s.at;
          const [down, right] = [r.reach / stride[0], s.reach / stride[1]];
          positions.push(k * P * Q + down * Q + right, down, right, weight);
        }
      }
    }
    header.push(rows.first, columns.first, rows.count, columns.count);
    header.push(start, 2 * phases.length + positions.length / 4 - start, 0, 0);
  }
  return Uint32Array.from([...header, ...positions]);
}

/** All phases as if they were as large as the largest, with the mean of their sums' terms. */
function productSize({ N, C, H, W, K, R, S, stride, groups }: ConvProblem): ProductSize {
  const phases = stride[0] * stride[1];
  return {
    M: C / groups,
    N: N * Math.ceil(H / stride[0]) * Math.ceil(W / stride[1]),
    K: Math.ceil(((K / groups) * R * S) / phases),
    count: groups * phases,
  };
}

export function stridedDgrad(setting: ConvSetting): Launch<'dgrad'>[] {
  const { N, C, H, W } = setting.problem;
  return waysOf(setting, productSize(setting.problem), N * C * H * W).map((way) =>
    stridedDgradBy(setting, way),
  );
}

export function stridedDgradBy(setting: ConvSetting, way: GemmWay): Launch<'dgrad'> {
  const { problem } = setting;
  const { N, C, H, W, K, R, S, stride, groups } = problem;
  const phases = stride[0] * stride[1];
  const { tile, slices } = way;
  const size = productSize(problem);
  return {
    name: `${nameOf(way)}, by phase`,
    workspaceBytes: 16 * (2 * phases + (K / groups) * R * S) + sliceBytes(slices, N * C * H * W, 0),
    add(plan, label, { dy, w, dx, mask }) {
      const { target, finish, addUp } = inSlices(plan, label, slices, dx, { mask });
      const constants = {
        ...productConstants(tile, size, slices),
        ...problemConstants(setting),
        // Phases differ in size, but a channel of dy is as many terms as a phase has positions.
        MASKED: (K / groups) % tile.BK !== 0,
        Image: setting.number,
        SLICES: slices,
        MASK: finish.mask !== undefined,
        Pixel: target.type,
      };
      plan.dispatch({
        label,
        kernel: { shader: 'conv/implicit_gemm/dgrad_strided', constants },
        tensors: {
          image: dy,
          w,
          x: finish.mask ?? w,
          dx: target,
          phases: plan.constant('phases', phaseTable(problem, K / groups)),
        },
        uniforms: { N },
        workgroups: tileGrid(tile, { ...size, count: (size.count ?? 1) * slices }),
        flop: flops(problem),
        work: tileWork(tile, size.K / slices, { gather: TABLE_COST }),
        spread: SPREAD.interleaved,
      });
      addUp();
    },
  };
}
