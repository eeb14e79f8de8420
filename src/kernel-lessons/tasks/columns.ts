/** The columns of im2col: for each image a matrix with a row for each weight of a filter and a column for each output. */
import { owning } from '../../base/owned.ts';
import { planColumns } from '../../engine/ops/conv/algorithms/im2col_gemm/index.ts';
import { inputShape } from '../../engine/ops/conv/problem.ts';
import { placedIn, PlanBuilder } from '../../engine/plan.ts';
import { elements } from '../../base/shape.ts';
import type { Device } from '../../gpu/device.ts';
import type { KernelTask, OpenWork } from '../lesson.ts';
import { randomNumbers } from '../numbers.ts';
import { convConstants, problemOfTask, type ConvTaskSizes } from './convolution.ts';

const shapeOf = (sizes: ConvTaskSizes) => {
  const { N, C, R, S, P, Q } = problemOfTask(sizes);
  return [N, C * R * S, P * Q] as const;
};

export const columns: KernelTask<ConvTaskSizes> = {
  inputs: (sizes) => [{ name: 'x', shape: inputShape(problemOfTask(sizes)) }],
  output: (sizes) => ({ name: 'columns', shape: shapeOf(sizes) }),
  dimensions: ['n', 'row', 'column'],
  constants: (sizes) => {
    const { K: _, ...constants } = convConstants(sizes);
    return constants;
  },
  reference: (sizes, [x]) => {
    const { stride = 1, padding = 0 } = sizes;
    const { N, C, H, W, R, S, P, Q } = problemOfTask(sizes);
    const result = new Float64Array(elements(shapeOf(sizes)));
    let at = 0;
    for (let n = 0; n < N; n++)
      for (let c = 0; c < C; c++)
        for (let r = 0; r < R; r++)
          for (let s = 0; s < S; s++)
            for (let p = 0; p < P; p++)
              for (let q = 0; q < Q; q++) {
                const [h, w] = [p * stride + r - padding, q * stride + s - padding];
                const isInside = h >= 0 && h < H && w >= 0 && w < W;
                result[at++] = isInside ? x[((n * C + c) * H + h) * W + w] : 0;
              }
    return result;
  },
  sum: () => undefined,
  products: () => 0,
};

/** wgrad's own im2col, one thread for each filter position. */
export const openColumns = (device: Device, sizes: ConvTaskSizes): Promise<OpenWork> =>
  owning(async (owned) => {
    const { own } = owned;
    const problem = problemOfTask(sizes);
    const [shape, out] = [inputShape(problem), shapeOf(sizes)];
    const x = own(await device.ledger.upload('x', randomNumbers('x', elements(shape))));
    const made = own(await device.ledger.storage('columns', 4 * elements(out)));
    const builder = new PlanBuilder(device);
    const pixels = out[2];
    planColumns(
      builder,
      'columns',
      { device, problem, workspace: Infinity, number: 'f32' },
      { threads: 'per_position' },
      { firstImage: 0, images: problem.N, first: 0, count: pixels },
      pixels,
      { x: placedIn(x, shape), columns: placedIn(made, out) },
    );
    return { plan: own(await builder.compile()), destroy: () => owned.destroy() };
  });

/** @returns a matrix's columns, its rows, and how many there are */
export function columnsOf(sizes: ConvTaskSizes) {
  const [N, rows, pixels] = shapeOf(sizes);
  return [pixels, rows, N] as const;
}
