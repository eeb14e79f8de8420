/** Muon's updates of weight matrices: see muon.ts. */
import { ceilDiv, elements } from '../../base/shape.ts';
import { chooseWay, planProducts, planSummedProducts, toFour } from '../gemm/products.ts';
import { grid, type PlanBuilder, type Tensor } from '../plan.ts';
import { sumThreads } from '../shared-sum.ts';
import { bitsOf } from '../tasks.ts';
import type { OptimizerSettings, OptimizerTensors } from './optimizer.ts';
import { planUpdate } from './update.ts';

/** The polynomial a x + b x^3 + c x^5, which moves singular values towards 1; of the authors, and of torch.optim.Muon. */
export const NEWTON_SCHULZ = { A: 3.4445, B: -4.775, C: 2.0315 };

/** A matrix as it is computed: no more rows than columns. */
interface Matrix {
  rows: number;
  columns: number;
  /** Whether the parameters are [columns, rows]. */
  transposed: boolean;
  /** In the flat parameters. */
  offset: number;
  /** The first of its sums of squares, and how many there are. */
  sums: number;
  slices: number;
}

/** Matrices that are computed together, with zeros around those that are smaller. */
interface Group {
  rows: number;
  columns: number;
  members: Matrix[];
}

/**
 * FLOP of a Newton-Schulz step that zeros may add for a matrix: they take a large GPU about as long as the dispatches of a group of
 * its own.
 */
const PADDING_FLOP = 1e8;

const flopOf = (rows: number, columns: number): number => 2 * rows * rows * (2 * columns + rows);

/**
 * Larger matrices first, and smaller ones with them where zeros cost little.
 * @param most FLOP that zeros may add for a matrix
 */
function groupsOf(matrices: readonly Matrix[], most: number): Group[] {
  const groups: Group[] = [];
  const largestFirst = [...matrices].sort(
    (a, b) => flopOf(b.rows, b.columns) - flopOf(a.rows, a.columns) || a.offset - b.offset,
  );
  for (const matrix of largestFirst) {
    const { rows, columns } = matrix;
    const added = (group: Group) => flopOf(group.rows, group.columns) - flopOf(rows, columns);
    const [group] = groups
      .filter((one) => one.rows >= rows && one.columns >= columns && added(one) <= most)
      .sort((one, other) => added(one) - added(other));
    if (group) group.members.push(matrix);
    else groups.push({ rows, columns, members: [matrix] });
  }
  return groups;
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

/** Slices of so many values. On a processor, threads of a workgroup do not share one. */
const slicesOf = (plan: PlanBuilder, values: number): number =>
  plan.device.onProcessor ? 1 : ceilDiv(values, SLICE);

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
  let sums = 0;
  const matrices = (tensors.matrices ?? []).map(({ shape, length, offset }): Matrix => {
    const sides = [shape[0], length / shape[0]];
    const slices = slicesOf(plan, length);
    const [rows, columns] = [Math.min(...sides), Math.max(...sides)];
    sums += slices;
    return { rows, columns, transposed: sides[0] > sides[1], offset, sums: sums - slices, slices };
  });
  if (matrices.length === 0) return;
  const squares = planSquares(plan, matrices, updates, tensors, settings);
  // On a processor a dispatch costs almost nothing.
  const most = plan.device.onProcessor ? 0 : PADDING_FLOP;
  for (const group of groupsOf(matrices, most)) planGroup(plan, group, updates, tensors, settings, squares);
}

function planSquares(
  plan: PlanBuilder,
  matrices: readonly Matrix[],
  updates: Tensor,
  { parameters }: OptimizerTensors,
  { rescale }: OptimizerSettings,
): Squares {
  const slices = matrices.flatMap(({ rows, columns, offset, slices: count }) => {
    const values = rows * columns;
    const length = count === 1 ? values : SLICE;
    return Array.from({ length: count }, (_, i) => [
      offset + i * length,
      Math.min(length, values - i * length),
    ]);
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

/** Those of matrices that are computed together. @param updates of all parameters, flat */
function planGroup(
  plan: PlanBuilder,
  { rows, columns, members }: Group,
  updates: Tensor,
  tensors: OptimizerTensors,
  { nsSteps, rescale }: OptimizerSettings,
  squares: Squares,
): void {
  const count = members.length;
  const label = `muon ${count} x ${rows} x ${columns}`;
  const values = rows * toFour(columns);
  const slices = slicesOf(plan, values);
  const sliced = { ...threadsOf(plan), SLICE: slices === 1 ? values : SLICE };
  const matrices = plan.constant(`${label} matrices`, tableOf(members, rescale));
  let x = plan.tensor(`${label} x`, [count, rows, toFour(columns)]);
  plan.dispatch({
    label: `${label} normalised`,
    kernel: { shader: 'optimizers/muon/normalised', constants: sliced },
    tensors: { updates, matrices, sums: squares.sums, x },
    uniforms: { rows, columns },
    workgroups: [slices, count, 1],
  });
  for (let step = 0; step < nsSteps; step++) x = newtonSchulz(plan, label, x, { count, rows, columns });
  planUpdate(
    plan,
    `${label} applied`,
    {
      shader: 'optimizers/muon/apply',
      constants: { ...sliced, ROWS: rows, COLUMNS: columns, RESCALE: rescale, FIRST: squares.count },
    },
    { ...tensors, states: { x, matrices, sums: squares.sums } },
    [slices, count, 1],
  );
}

/** Matrices as shaders/optimizers/muon/matrix.wgsl has them. */
const tableOf = (members: readonly Matrix[], rescale: boolean): Uint32Array<ArrayBuffer> =>
  Uint32Array.from(
    members.flatMap(({ offset, rows, columns, transposed, sums, slices }) => {
      const sides = transposed ? [columns, rows] : [rows, columns];
      // Of torch.optim.Muon, by default: columns have a norm of 1 then, whatever the shape.
      const adjustment = rescale ? 1 : Math.sqrt(Math.max(1, sides[0] / sides[1]));
      const norm = rescale ? Math.sqrt(sides[0]) : 0;
      return [offset, rows, columns, Number(transposed), sums, slices, bitsOf(adjustment), bitsOf(norm)];
    }),
  );

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
