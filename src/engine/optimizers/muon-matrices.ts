/** Muon's updates of weight matrices: see muon.ts. */
import { ceilDiv, elements } from '../../base/shape.ts';
import { chooseWay, planProducts, planSummedProducts, toFour } from '../gemm/products.ts';
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

/**
 * Values of a matrix that a workgroup reads: enough of them to be worth one, and few enough for a large matrix to keep a GPU busy.
 */
const SLICE = 2048;

/** Sums of the squares of slices of all matrices, of their momentum and then of their parameters. */
interface Squares {
  sums: Tensor;
  /** Slices of all matrices. */
  count: number;
}

/** Slices of a matrix. On a processor, threads of a workgroup do not share one. */
const slicesOf = (plan: PlanBuilder, { rows, columns }: Matrices): number =>
  plan.device.onProcessor ? 1 : ceilDiv(rows * columns, SLICE);

const threadsOf = ({ device }: PlanBuilder) => {
  const shared = !device.onProcessor;
  return { SHARED: shared, THREADS: shared ? sumThreads(device) : 1 };
};

/** Adds the dispatches that update the matrices. @param updates of all parameters, flat: the momentum */
export function planMatrices(
  plan: PlanBuilder,
  updates: Tensor,
  tensors: OptimizerTensors,
  settings: OptimizerSettings,
): void {
  const groups = groupsOf(tensors.matrices ?? []);
  if (groups.length === 0) return;
  const squares = planSquares(plan, groups, updates, tensors, settings);
  let first = 0;
  for (const group of groups) {
    planGroup(plan, group, updates, tensors, settings, { ...squares, first });
    first += group.offsets.length * slicesOf(plan, group);
  }
}

function planSquares(
  plan: PlanBuilder,
  groups: readonly Matrices[],
  updates: Tensor,
  { parameters }: OptimizerTensors,
  { rescale }: OptimizerSettings,
): Squares {
  const slices = groups.flatMap((group) => {
    const numbers = group.rows * group.columns;
    const count = slicesOf(plan, group);
    const length = count === 1 ? numbers : SLICE;
    return group.offsets.flatMap((offset) =>
      Array.from({ length: count }, (_, i) => [offset + i * length, Math.min(length, numbers - i * length)]),
    );
  });
  const sums = plan.tensor('muon squares', [2, slices.length]);
  plan.dispatch({
    label: 'muon squares',
    kernel: { shader: 'optimizers/muon/squares', constants: { ...threadsOf(plan), RESCALE: rescale } },
    tensors: {
      updates,
      parameters,
      slices: plan.constant('muon slices', Uint32Array.from(slices.flat())),
      sums,
    },
    uniforms: { count: slices.length },
    workgroups: grid(slices.length, 1),
  });
  return { sums, count: slices.length };
}

/** Those of matrices of one shape. @param updates of all parameters, flat */
function planGroup(
  plan: PlanBuilder,
  group: Matrices,
  updates: Tensor,
  tensors: OptimizerTensors,
  { nsSteps, rescale }: OptimizerSettings,
  squares: Squares & { first: number },
): void {
  const { rows, columns, transposed, offsets: places } = group;
  const count = places.length;
  const label = `muon ${count} x ${rows} x ${columns}`;
  const slices = slicesOf(plan, group);
  const sliced = { ...threadsOf(plan), SLICES: slices, SLICE: slices === 1 ? rows * columns : SLICE };
  const offsets = plan.constant(`${label} offsets`, Uint32Array.from(places));
  let x = plan.tensor(`${label} x`, [count, rows, toFour(columns)]);
  plan.dispatch({
    label: `${label} normalised`,
    kernel: { shader: 'optimizers/muon/normalised', constants: { ...sliced, TRANSPOSED: transposed } },
    tensors: { updates, offsets, sums: squares.sums, x },
    uniforms: { rows, columns, first: squares.first },
    workgroups: [slices, count, 1],
  });
  for (let step = 0; step < nsSteps; step++) x = newtonSchulz(plan, label, x, { count, rows, columns });
  const sides = transposed ? [columns, rows] : [rows, columns];
  planUpdate(
    plan,
    `${label} applied`,
    {
      shader: 'optimizers/muon/apply',
      constants: {
        ...sliced,
        ROWS: rows,
        COLUMNS: columns,
        TRANSPOSED: transposed,
        // Of torch.optim.Muon, by default: columns have a norm of 1 then, whatever the shape.
        ADJUSTMENT: rescale ? 1 : Math.sqrt(Math.max(1, sides[0] / sides[1])),
        NORM: rescale ? Math.sqrt(sides[0]) : 0,
        FIRST: squares.count + squares.first,
      },
    },
    { ...tensors, states: { x, offsets, sums: squares.sums } },
    [slices, count, 1],
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
  const product = (name: string, a: Tensor, b: Tensor, bAlongK: boolean, N: number, K: number) => {
    const size = { M: rows, N, K, count };
    const way = chooseWay(plan.device, size, 'f32');
    return { ...size, ...way, label: `${label} ${name}`, a, aAlongK: true, b, bAlongK };
  };
  const summed = ({ label: name, ...of }: ReturnType<typeof product>): Tensor => {
    const c = plan.tensor(name, [count, rows, toFour(of.N)]);
    planSummedProducts(plan, name, { ...of, c });
    return c;
  };
  const y = summed(product('y', x, x, true, rows, columns));
  // The polynomial adds up the slices.
  const { label: name, ...of } = product('y^2', y, y, false, rows, rows);
  const squares = plan.tensor(name, [of.slices, ...square]);
  planProducts(plan, name, { ...of, c: squares });
  const numbers = elements(square);
  const z = plan.tensor(`${label} polynomial`, square);
  plan.dispatch({
    label: z.label,
    kernel: { shader: 'optimizers/muon/polynomial', constants: { ...NEWTON_SCHULZ, SLICES: of.slices } },
    tensors: { y, squares, z },
    uniforms: { rows, count: numbers },
    workgroups: grid(ceilDiv(numbers, 64), 1),
  });
  return summed(product('x', z, x, false, columns, rows));
}
