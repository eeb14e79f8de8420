import type { ConvChoice, LadderStep } from '../../../worker/api.ts';
import type { Measurement } from './batch.ts';
import { isTimed, ranking } from './verdict.ts';

interface Time {
  median: number;
  p10: number;
  p90: number;
}

/** A step of the ladder on one layer, with its time. */
export interface LadderRung {
  title: string;
  sentence: string;
  time: Time | undefined;
  /** The fastest of several variants. */
  launch: string;
  /** The variant whose source is shown: the fastest, or the first. Loops have none. */
  source: ConvChoice | undefined;
  /** Why there is no time. */
  missing: string;
}

/** The loops on the CPU, then the steps. */
export function rungsOf(
  steps: readonly LadderStep[],
  algorithm: string,
  measurement: Measurement | undefined,
): LadderRung[] {
  const state = measurement?.state ?? 'waiting';
  const missing = { waiting: 'not measured', measuring: 'measuring…', found: '', refused: '' }[state];
  const loops: LadderRung = {
    title: 'Plain loops on one CPU core',
    sentence:
      'Seven nested loops, as one writes them in C, compiled to WebAssembly. The baseline for the GPU.',
    time: measurement?.loops,
    launch: '',
    source: undefined,
    missing: missing || 'not measured',
  };
  const rungs = steps.map(({ step, why, launches }): LadderRung => {
    const tried = measurement?.tried.filter((one) => launches.includes(one.launch)) ?? [];
    const [best] = ranking({ tried });
    const [bad] = tried.filter((one) => !isTimed(one));
    return {
      title: step.charAt(0).toUpperCase() + step.slice(1),
      sentence: why,
      time: best,
      launch: best && launches.length > 1 ? best.launch : '',
      source: { algorithm, launch: best?.launch ?? launches[0] },
      missing:
        (bad && 'reason' in bad
          ? `${bad.outcome === 'wrong' ? 'incorrect results' : 'failed'}: ${bad.reason}`
          : measurement?.error?.message) ??
        (missing || 'not tried'),
    };
  });
  return [loops, ...rungs];
}

/** A step of the ladder on all layers; undefined where a layer does not have it. */
export interface RungRow {
  title: string;
  sentence: string;
  rungs: (LadderRung | undefined)[];
}

/** The rungs of all layers side by side, in the ladder's order: a layer may lack steps. */
export function rungRows(layers: readonly (readonly LadderRung[])[]): RungRow[] {
  const titles: string[] = [];
  for (const rungs of layers) {
    let at = 0;
    for (const { title } of rungs) {
      const known = titles.indexOf(title);
      if (known >= 0) at = known + 1;
      else titles.splice(at++, 0, title);
    }
  }
  return titles.map((title) => {
    const rungs = layers.map((all) => all.find((one) => one.title === title));
    const sentence = rungs.find((one) => one !== undefined)?.sentence ?? '';
    return { title, sentence, rungs };
  });
}
