/** A launch that was built from edited WGSL and the original, timed in turns. */
import { assert } from '../../base/assert.ts';
import { medianInterval } from '../../base/median-interval.ts';
import type { ConvSetting } from '../../engine/ops/conv/algorithm.ts';
import { launchNamed } from '../../engine/ops/conv/choice/layers.ts';
import { openLaunch, type OpenLaunch } from '../../engine/ops/conv/choice/open-launch.ts';
import type { TimedLaunch } from '../../engine/ops/conv/choice/types.ts';
import type { Direction } from '../../engine/ops/conv/problem.ts';
import { spreadOf, Stopwatch, type Encode, type Timing } from '../../gpu/timing.ts';
import type { FindJob } from '../api.ts';

/** More than in a race of many launches: people look for differences of a few percent. */
const SAMPLES = 20;
const MINIMUM_MS = 4;

/**
 * Leaves the edits in use.
 * @param timed the original and the edited launch, by their first times
 * @returns the same with their times in turns
 * @throws Failure `out-of-memory`, `shader`
 */
export async function timeInTurns(
  setting: ConvSetting,
  direction: Direction,
  edits: FindJob['edits'],
  [original, yours]: readonly [TimedLaunch, TimedLaunch],
): Promise<[TimedLaunch, TimedLaunch]> {
  const { device } = setting;
  const launch = launchNamed(setting, direction, original);
  assert(launch !== undefined, `no variant "${original.launch}" here`);
  const opened: OpenLaunch[] = [];
  const open = async (edited: boolean) => {
    for (const [name, text] of Object.entries(edits))
      device.kernels.replaceSource(name, edited ? text : undefined);
    opened.push(await openLaunch(setting, direction, launch));
  };
  const stopwatch = await Stopwatch.create(device);
  try {
    await open(false);
    await open(true);
    const works = opened.map(
      ({ plan }): Encode =>
        (pass) =>
          plan.encode(pass),
    );
    await stopwatch.settle(works[0]);
    const [before, after] = await stopwatch.inTurns(works, { samples: SAMPLES, minimumMs: MINIMUM_MS });
    return [
      { ...original, ...resultOf(before) },
      { ...yours, ...resultOf(after) },
    ];
  } finally {
    stopwatch.destroy();
    for (const { destroy } of opened) destroy();
  }
}

const resultOf = ({ samples, repetitions, clock }: Timing) => ({
  ...spreadOf(samples),
  interval: medianInterval(samples),
  samples: samples.length,
  repetitions,
  clock,
});
