/** The time of a convolution on the CPU engine, as a scale for the GPU's. */
import { Failure } from '../../base/result.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import { get } from '../../engine/ops/conv/choice/get.ts';
import { convProblem, flops } from '../../engine/ops/conv/problem.ts';
import type { Device } from '../../gpu/device.ts';
import type { CpuTime, FindRequest } from '../api.ts';

/** Work per call that any laptop does in well under a second; checking takes several calls. */
const MAX_FLOPS = 4e8;
const SAMPLES = 5;

/**
 * Verifies and times the launch that a run on the CPU would use. Where all images would take too long, it takes as many
 * as do not.
 * @param open opens a device of the CPU engine, which is destroyed afterwards
 * @throws Failure `cancelled`
 */
export async function timeOnCpu(
  open: () => Promise<Device>,
  { sizes, direction, number, workspace }: FindRequest,
  signal: AbortSignal,
): Promise<CpuTime> {
  const one = flops(convProblem({ ...sizes, N: 1 }));
  const images = Math.min(sizes.N, Math.floor(MAX_FLOPS / one));
  if (images < 1) {
    const gflop = (count: number) => `${(count / 1e9).toPrecision(2)} GFLOP`;
    return {
      reason: `one image takes ${gflop(one)}, more than the ${gflop(MAX_FLOPS)} that are measured on the CPU`,
    };
  }
  let device: Device | undefined;
  try {
    device = await open();
    const problem = convProblem({ ...sizes, N: images });
    const choice = get(device, problem, direction, { number, workspace });
    const { tried, absent } = await find(device, problem, direction, {
      algorithms: [choice.algorithm],
      exclude: (_, launch) => launch !== choice.launch,
      number,
      workspace,
      signal,
      samples: SAMPLES,
    });
    return tried.length > 0
      ? { engine: device.adapter.description, images, tried: tried[0] }
      : { reason: absent[0].reason };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'cancelled') throw error;
    return { reason: error.message };
  } finally {
    device?.destroy();
  }
}
