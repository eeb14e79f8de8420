import { Random } from '../../base/random.ts';
import { elements } from '../../base/shape.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { flops, problemKey, type ConvProblem, type Direction } from '../../engine/ops/conv/problem.ts';
import {
  convTensorShape,
  DEFAULT_WORKSPACE,
  DIRECTION_TENSORS,
  launchesOf,
  planConv,
  whyNot,
  type ConvTensorName,
} from '../../engine/ops/conv/run.ts';
import { convNumber } from '../../engine/ops/conv/sample.ts';
import { placedIn, PlanBuilder, type Tensor } from '../../engine/plan.ts';
import type { Device } from '../../gpu/device.ts';
import type { GpuBuffer } from '../../gpu/ledger.ts';
import { Readback } from '../../gpu/readback.ts';
import { timeWork } from '../../gpu/timing.ts';
import { timingColumns } from './report.ts';

/** Numbers of the result that are checked against float64. */
const CHECKED = 64;

/** Times one algorithm on one problem and checks some of its numbers. */
export async function benchConv(
  device: Device,
  problem: ConvProblem,
  direction: Direction,
  algorithmName: string,
  samples: number,
) {
  const algorithm = convAlgorithms.get(algorithmName);
  const line = { problem: problemKey(problem), direction, algorithm: algorithm.name };
  const setting = { device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32' } as const;
  const reason = whyNot(algorithm, setting, direction);
  if (reason !== undefined) return { ...line, status: 'unsupported', reason };
  const { inputs, output } = DIRECTION_TENSORS[direction];
  const random = new Random(1, 'conv');
  const buffers: GpuBuffer[] = [];
  const tensors: Partial<Record<ConvTensorName, Tensor>> = {};
  const values: Float32Array[] = [];
  const readback = new Readback(device);
  try {
    for (const name of inputs) {
      const shape = convTensorShape(problem, name);
      const numbers = Float32Array.from({ length: elements(shape) }, () => random.uniform(-1, 1));
      const buffer = await device.ledger.upload(name, numbers);
      buffers.push(buffer);
      values.push(numbers);
      tensors[name] = placedIn(buffer, shape);
    }
    const shape = convTensorShape(problem, output);
    const buffer = await device.ledger.storage(output, elements(shape) * 4);
    buffers.push(buffer);
    const result = placedIn(buffer, shape);
    tensors[output] = result;
    const launch = launchesOf(algorithm, setting, direction)[0];
    const builder = new PlanBuilder(device);
    planConv(builder, direction, launch, tensors);
    const plan = await builder.compile();
    try {
      const timing = await timeWork(device, (pass) => plan.encode(pass), { samples });
      const found = await readback.floats(plan.rangeOf(result));
      let [worst, largest] = [0, 0];
      for (let i = 0; i < CHECKED; i++) {
        const at = random.below(found.length);
        const expected = convNumber(problem, direction, values, at);
        const difference = Math.abs(expected - found[at]);
        worst = Number.isFinite(difference) ? Math.max(worst, difference) : Infinity;
        largest = Math.max(largest, Math.abs(expected));
      }
      return {
        ...line,
        status: 'ok',
        ...timingColumns(timing, flops(problem)),
        error: worst / largest,
        workspace_bytes: launch.workspaceBytes,
        dispatches: plan.dispatches.length,
      };
    } finally {
      plan.destroy();
    }
  } finally {
    readback.destroy();
    for (const buffer of buffers) buffer.destroy();
  }
}
