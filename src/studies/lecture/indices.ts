/** Where a value is in memory in both layouts, by the lecture's formulas. */
import { transpose } from '../../engine/ops/conv/transposed.ts';
import { convProblem } from '../../engine/ops/conv/problem.ts';
import { placedIn, PlanBuilder } from '../../engine/plan.ts';
import type { GpuBuffer } from '../../gpu/ledger.ts';
import { Readback } from '../../gpu/readback.ts';
import type { Cell, StudyContext } from '../study.ts';
import { yesOrNo } from './sizes.ts';

type Four = readonly [number, number, number, number];

const LAYOUTS = [
  {
    layout: 'NCHW, channels first',
    formula: '((n C + c) H + h) W + w',
    index: ([, C, H, W]: Four, [n, c, h, w]: Four) => ((n * C + c) * H + h) * W + w,
  },
  {
    layout: 'NHWC, channels last',
    formula: '((n H + h) W + w) C + c',
    index: ([, C, H, W]: Four, [n, c, h, w]: Four) => ((n * H + h) * W + w) * C + c,
  },
];

/** N C H W, and n c h w. */
const SIZES: Four = [2, 3, 4, 5];
const PLACE: Four = [1, 2, 0, 3];

/** Of the value at PLACE in a tensor of SIZES. */
export const EXAMPLE =
  `the value at n ${PLACE[0]}, c ${PLACE[1]}, h ${PLACE[2]}, w ${PLACE[3]} ` +
  `of N ${SIZES[0]}, C ${SIZES[1]}, H ${SIZES[2]}, W ${SIZES[3]}`;

export const indexRows = (): Record<string, Cell>[] =>
  LAYOUTS.map(({ layout, formula, index }) => ({ layout, formula, index: index(SIZES, PLACE) }));

/** Numbers the values of a tensor in NCHW, has the device change its layout, and looks every number up by both formulas. */
export async function checkIndices({ device, report, undone }: StudyContext): Promise<void> {
  const [N, C, H, W] = SIZES;
  const count = N * C * H * W;
  const problem = convProblem({ N, C, H, W, K: 1, R: 1, S: 1 });
  const buffers: GpuBuffer[] = [];
  const readback = new Readback(device);
  try {
    buffers.push(
      await device.ledger.upload(
        'numbers',
        Float32Array.from({ length: count }, (_, i) => i),
      ),
    );
    buffers.push(await device.ledger.storage('numbers, channels last', 4 * count));
    const builder = new PlanBuilder(device);
    const [source, result] = buffers.map((buffer) => placedIn(buffer, SIZES));
    transpose(builder, 'to NHWC', problem, 'x', 'nhwc', source, result);
    const plan = await builder.compile();
    plan.run();
    const rows = indexRows();
    for (const [i, { layout, index }] of LAYOUTS.entries()) {
      const values = await readback.floats({ buffer: buffers[i], offset: 0, bytes: 4 * count });
      const right = places().every((place) => values[index(SIZES, place)] === LAYOUTS[0].index(SIZES, place));
      if (!right) undone(`the index formula of ${layout} is wrong`);
      report({ figure: 'indices', cells: { ...rows[i], checked: yesOrNo(right) } });
    }
    plan.destroy();
  } finally {
    readback.destroy();
    for (const buffer of buffers) buffer.destroy();
  }
}

function places(): Four[] {
  const upTo = (size: number) => Array.from({ length: size }, (_, i) => i);
  const [N, C, H, W] = SIZES.map(upTo);
  return N.flatMap((n) => C.flatMap((c) => H.flatMap((h) => W.map((w): Four => [n, c, h, w]))));
}
