import { convAlgorithms } from '../../src/engine/ops/conv/algorithms/index.ts';
import { find } from '../../src/engine/ops/conv/choice/find.ts';
import type { FindResult } from '../../src/engine/ops/conv/choice/types.ts';
import {
  convTensorShape,
  DEFAULT_WORKSPACE,
  DIRECTION_TENSORS,
  launchesOf,
  planConv,
} from '../../src/engine/ops/conv/run.ts';
import { placedIn, PlanBuilder, tensorBytes } from '../../src/engine/plan.ts';
import { openDevice } from '../../src/gpu/device.ts';
import type { GpuBuffer } from '../../src/gpu/ledger.ts';
import { Readback } from '../../src/gpu/readback.ts';
import { timeCalls, TITLE } from '../libraries/wgrad.ts';
import type { Peer } from '../operations/peer.ts';
import { inputNumbers, type Library, type Task } from './peer.ts';

/** Of `find`, for each launch near the best; as many milliseconds as `wgrad bench conv` takes. */
const FIND = { samples: 20, minimumMs: 5 };

interface Best extends Peer {
  /** All that was tried. */
  found: FindResult;
}

/** wgrad, by the fastest launch of all its algorithms, as `find` measures them. */
const wgrad = {
  title: TITLE,

  async open({ problem, direction }: Task): Promise<Best> {
    const device = await openDevice(navigator.gpu);
    const found = await find(device, problem, direction, FIND);
    const { best } = found;
    if (!best) throw new Error(`wgrad finds nothing for this: ${JSON.stringify(found)}`);
    const setting = { device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32' } as const;
    const launches = launchesOf(convAlgorithms.get(best.algorithm), setting, direction);
    const launch = launches.find(({ name }) => name === best.launch);
    if (!launch) throw new Error(`${best.algorithm} has no launch "${best.launch}" any more`);

    const { inputs, output } = DIRECTION_TENSORS[direction];
    const buffers: GpuBuffer[] = [];
    const tensors: Parameters<typeof planConv>[3] = {};
    for (const name of inputs) {
      const buffer = await device.ledger.upload(name, inputNumbers(problem, name));
      buffers.push(buffer);
      Object.assign(tensors, { [name]: placedIn(buffer, convTensorShape(problem, name)) });
    }
    const shape = convTensorShape(problem, output);
    const answers = await device.ledger.storage(output, tensorBytes({ shape, type: 'f32' }));
    const answer = placedIn(answers, shape);
    const builder = new PlanBuilder(device);
    planConv(builder, launch.name, launch, { ...tensors, [output]: answer });
    const plan = await builder.compile();
    const readback = new Readback(device);
    return {
      how: { ...best },
      found,

      run: (calls) => timeCalls(device, plan, calls),

      async result() {
        plan.run();
        return readback.floats(plan.rangeOf(answer));
      },

      close() {
        readback.destroy();
        plan.destroy();
        for (const buffer of [...buffers, answers]) buffer.destroy();
        device.destroy();
        return Promise.resolve();
      },
    };
  },
} satisfies Library;

export default wgrad;
