import { version } from '../../package.json';
import type { Plan } from '../../src/engine/plan.ts';
import type { Device } from '../../src/gpu/device.ts';
import type { Timed } from '../operations/peer.ts';

export const TITLE = `wgrad ${version}`;

/** Calls in one command buffer, at most. */
const CALLS_A_SUBMIT = 100;

/** Times runs of a plan. */
export async function timeCalls(device: Device, plan: Plan, calls: number): Promise<Timed> {
  const start = performance.now();
  for (let left = calls; left > 0; left -= CALLS_A_SUBMIT) {
    const encoder = device.raw.createCommandEncoder();
    const pass = encoder.beginComputePass();
    for (let i = 0; i < Math.min(left, CALLS_A_SUBMIT); i++) plan.encode(pass);
    pass.end();
    device.queue.submit([encoder.finish()]);
  }
  await device.idle();
  return { ms: performance.now() - start };
}
