import type { ConvDirection, ConvNumber, ConvSizes, FindRequest } from '../../../worker/api.ts';
import { go, hrefOf } from '../../route.ts';
import { textOf } from '../../share/conv-sizes.ts';
import { useApp } from '../../state/store.ts';
import { numberIn } from '../../widgets/number-rule.ts';
import type { Measurement } from './batch.ts';
import { changeRace, loadLab, measure, runningView, useLab } from './lab-store.ts';
import { parametersOf, usualWorkspace, withCpu, workspaceOf, wrongField, type RaceText } from './sizes.ts';
import { firstOf, unclearOf } from './verdict.ts';

/** The request of all views but the race: with the workspace that training has. */
export const requestOf = (
  sizes: ConvSizes,
  direction: ConvDirection,
  number: ConvNumber = 'f32',
): FindRequest => ({ sizes, direction, number, workspace: usualWorkspace(useApp.getState().adapter) });

/** The number types of a race, in the order in which they are measured. */
const numbersOf = ({ numbers }: Pick<RaceText, 'numbers'>): ConvNumber[] =>
  numbers === 'both' ? ['f32', 'f16'] : [numbers];

/** Starts the race as it is typed, with the edited WGSL. */
export async function startRace(sizes: ConvSizes): Promise<void> {
  // Which algorithms there are may still be loading.
  if (!useLab.getState().catalogue) {
    await loadLab();
    if (runningView(useLab.getState()) !== undefined) return;
  }
  const { race, edits, catalogue } = useLab.getState();
  const { adapter } = useApp.getState();
  const workspace = workspaceOf(race, adapter);
  if (workspace === undefined || wrongField(race)) return;
  // A link may name algorithms that no longer exist.
  const known = catalogue?.algorithms.map(({ name }) => name) ?? [];
  const [threads, workgroups] = [numberIn(race.threads), numberIn(race.workgroups)];
  const algorithms = known.filter((name) => race.algorithms.includes(name));
  const requests = numbersOf(race).map((number): FindRequest => ({
    sizes,
    direction: race.direction,
    number,
    workspace,
    thorough: true,
    ...(threads === undefined && workgroups === undefined ? {} : { launchSize: { threads, workgroups } }),
    ...(algorithms.length > 0 ? { algorithms } : {}),
    // It has no float16.
    ...(number === 'f32' && withCpu(race, adapter) ? { cpu: true } : {}),
  }));
  await measure('race', requests, edits);
}

/** Samples of each lane whose interval overlaps the fastest one’s: four times as many make the interval half as wide. */
const MORE_SAMPLES = 40;

/** Measures the lanes whose intervals overlap again, with more samples. */
export async function measureMore(measurement: Measurement): Promise<void> {
  const { request } = measurement;
  const rivals = [...firstOf(measurement), ...unclearOf(measurement)];
  const algorithms = [...new Set(rivals.map(({ algorithm }) => algorithm))];
  await measure('race', [{ ...request, algorithms, samples: MORE_SAMPLES }], useLab.getState().edits);
}

/** Opens the race with these sizes, and starts it unless something else is being measured. */
export function raceThis(sizes: ConvSizes, direction: ConvDirection, number: ConvNumber = 'f32'): void {
  changeRace({ sizes: textOf(sizes), direction, numbers: number });
  go(hrefOf('lab', 'race', parametersOf(useLab.getState().race)));
  if (runningView(useLab.getState()) === undefined) void startRace(sizes);
}
