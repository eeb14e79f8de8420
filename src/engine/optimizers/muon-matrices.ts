/** Muon's updates of weight matrices: see muon.ts. */
import { ceilDiv, elements } from '../../base/shape.ts';
import { chooseWay, planSummedProducts, toFour } from '../gemm/products.ts';
import { grid, type PlanBuilder, type Tensor } from '../plan.ts';
import { sumThreads } from '../shared-sum.ts';
import type { BlockEntry, OptimizerSettings, OptimizerTensors } from './optimizer.ts';
import { planUpdate } from './update.ts';

/** The polynomial a x + b x^3 + c x^5, which moves singular values towards 1; of the authors, and of torch.optim.Muon. */
export const NEWTON_SCHULZ = { A: 3.4445, B: -4.775, C: 2.0315 };

/** Matrices of one shape, as they are computed: no more rows than columns. */
interface Matrices {
  rows: number;
  columns: number;
  /** Whether the parameters are [columns, rows]. */
  transposed: boolean;
  /** Of each, in the flat parameters. */
  offsets: readonly number[];
}

/** Matrices of the same shape together. */
function groupsOf(entries: readonly BlockEntry[]): Matrices[] {
  const groups = new Map<string, Matrices & { offsets: number[] }>();
  for (const { shape, length, offset } of entries) {
    const sides = [shape[0], length / shape[0]];
    const group = groups.get(sides.join()) ?? {
      rows: Math.min(...sides),
      columns: Math.max(...sides),
      transposed: sides[0] > sides[1],
      offsets: [],
    };
    group.offsets.push(offset);
    groups.set(sides.join(), group);
  }
  return [...groups.values()];
}

/** Adds the dispatches that update the matrices. @param updates of all parameters, flat: the momentum */
export function planMatrices(
  plan: PlanBuilder,
  updates: Tensor,
  tensors: OptimizerTensors,
  settings: OptimizerSettings,
): void {
  for (const group of groupsOf(tensors.matrices ?? [])) planGroup(plan, group, updates, tensors, settings);
}

/** Those of matrices of one shape. @param updates of all parameters, flat */
function planGroup(
  plan: PlanBuilder,
  { rows, columns, transposed, offsets: places }: Matrices,
  updates: Tensor,
  tensors: OptimizerTensors,
  { nsSteps, rescale }: OptimizerSettings,
): void {
  const count = places.length;
  const label = `muon ${count} x ${rows} x ${columns}`;
  const shared = !plan.device.onProcessor;
  const threads = { SHARED: shared, THREADS: shared ? sumThreads(plan.device) : 1 };
  const offsets = plan.constant(`${label} offsets`, Uint32Array.from(places));
  let x = plan.tensor(`${label} x`, [count, rows, toFour(columns)]);
  plan.dispatch({
    label: `${label} normalised`,
    kernel: { shader: 'optimizers/muon/normalised', constants: { ...threads, TRANSPOSED: transposed } },
    tensors: { updates, offsets, x },
    uniforms: { rows, columns },
    workgroups: [count, 1, 1],
  });
  for (let step = 0; step < nsSteps; step++) x = newtonSchulz(plan, label, x, { count, rows, columns });
  const sides = transposed ? [columns, rows] : [rows, columns];
  planUpdate(
    plan,
    `${label} applied`,
    {
      shader: 'optimizers/muon/apply',
      constants: {
        ...threads,
        ROWS: rows,
        COLUMNS: columns,
        TRANSPOSED: transposed,
        // Of torch.optim.Muon, by default: columns have a norm of 1 then, whatever the shape.
        ADJUSTMENT: rescale ? 1 : Math.sqrt(Math.max(1, sides[0] / sides[1])),
        NORM: rescale ? Math.sqrt(sides[0]) : 0,
      },
    },
    { ...tensors, states: { x, offsets } },
    [count, 1, 1],
  );
}

/** (A + B y + C y^2) x with y = x x^T. */
function newtonSchulz(
  plan: PlanBuilder,
  label: string,
  x: Tensor,
  { count, rows, columns }: { count: number; rows: number; columns: number },
): Tensor {
  const square = [count, rows, toFour(rows)];
  const product = (name: string, a: Tensor, b: Tensor, bAlongK: boolean, N: number, K: number): Tensor => {
    const size = { M: rows, N, K, count };
    const c = plan.tensor(`${label} ${name}`, [count, rows, toFour(N)]);
    const way = chooseWay(plan.device, size, 'f32');
    planSummedProducts(plan, `${label} ${name}`, { ...size, ...way, a, aAlongK: true, b, bAlongK, c });
    return c;
  };
  const y = product('y', x, x, true, rows, columns);
  const squares = product('y^2', y, y, false, rows, rows);
  const numbers = elements(square);
  plan.dispatch({
    label: `${label} polynomial`,
    kernel: { shader: 'optimizers/muon/polynomial', constants: NEWTON_SCHULZ },
    tensors: { y, squares },
    uniforms: { rows, count: numbers },
    workgroups: grid(ceilDiv(numbers, 64), 1),
  });
  return product('x', squares, x, false, columns, rows);
}
