/** The mean time of many calls in a row, as studies report it. */
import { assert } from '../../base/assert.ts';
import type { ConvSetting } from '../../engine/ops/conv/algorithm.ts';
import { launchNamed } from '../../engine/ops/conv/choice/layers.ts';
import { openLaunch } from '../../engine/ops/conv/choice/open-launch.ts';
import type { Direction } from '../../engine/ops/conv/problem.ts';
import { spreadOf, timeWork } from '../../gpu/timing.ts';
import type { Average, ConvChoice } from '../api.ts';

/** Calls are submitted in parts of about this duration, so that nothing else has to wait. */
const PART_MS = 50;
/** If all calls would take longer than this, fewer are measured. */
const MAX_MS = 2000;
const MIN_CALLS = 5;

/**
 * @param calls the number of calls in a row
 * @param expectedMs the approximate time of one call
 * @throws Failure `out-of-memory`
 */
export async function averageTime(
  setting: ConvSetting,
  direction: Direction,
  choice: ConvChoice,
  calls: number,
  expectedMs: number,
): Promise<Average> {
  const { device } = setting;
  const launch = launchNamed(setting, direction, choice);
  assert(launch !== undefined, `no variant "${choice.launch}" here`);
  const { plan, destroy } = await openLaunch(setting, direction, launch);
  try {
    const affordable = Math.max(MIN_CALLS, Math.min(calls, Math.floor(MAX_MS / expectedMs)));
    const inPart = Math.max(1, Math.min(affordable, Math.floor(PART_MS / expectedMs)));
    const parts = Math.ceil(affordable / inPart);
    const { samples, repetitions } = await timeWork(device, (pass) => plan.encode(pass), {
      samples: parts,
      maxRepetitions: inPart,
      // Unreachable, so that each part has as many calls as allowed.
      minimumMs: Infinity,
    });
    const mean = samples.reduce((sum, ms) => sum + ms, 0) / samples.length;
    const { p10, p90 } = spreadOf(samples);
    return { ...choice, calls: samples.length * repetitions, mean, p10, p90 };
  } finally {
    destroy();
  }
}
