import type { ConvDirection, ConvNumber, ConvSizes, FindRequest } from '../../../../worker/api.ts';
import { go, hrefOf } from '../../../route.ts';
import { measure, runningPlace, useLab } from '../lab-store.ts';
import { parametersOf, type RaceText } from '../sizes.ts';
import { textOf } from '../../../share/conv-sizes.ts';

export const MEBIBYTE = 2 ** 20;

/** The numbers of a race, in the order they are measured. */
export const numbersOf = ({ numbers }: Pick<RaceText, 'numbers'>): ConvNumber[] =>
  numbers === 'both' ? ['f32', 'f16'] : [numbers];

/** Bytes out of the field; undefined if it is no number. */
export function workspaceOf({ workspace }: Pick<RaceText, 'workspace'>): number | undefined {
  const mebibytes = workspace.trim() === '' ? NaN : Number(workspace);
  return mebibytes >= 0 && mebibytes <= 4096 ? Math.floor(mebibytes * MEBIBYTE) : undefined;
}

/** Starts the race as it is typed, with the WGSL that is on trial. */
export async function startRace(sizes: ConvSizes): Promise<void> {
  const { race, edits, catalogue } = useLab.getState();
  const workspace = workspaceOf(race);
  if (workspace === undefined) return;
  // Names out of a link may be of algorithms that are no more.
  const known = catalogue?.algorithms.map(({ name }) => name) ?? [];
  const algorithms = known.filter((name) => race.algorithms.includes(name));
  const requests = numbersOf(race).map((number): FindRequest => ({
    sizes,
    direction: race.direction,
    number,
    workspace,
    thorough: true,
    ...(algorithms.length > 0 ? { algorithms } : {}),
  }));
  await measure('race', requests, edits);
}

/** Opens the race with these sizes and starts it, unless something else is being measured. */
export function raceThis(sizes: ConvSizes, direction: ConvDirection): void {
  const { race, setRace } = useLab.getState();
  const next = { ...race, sizes: textOf(sizes), direction };
  setRace(next);
  go(hrefOf('lab', 'race', parametersOf(next)));
  if (runningPlace(useLab.getState()) === undefined) void startRace(sizes);
}
