/** A kernel of one's own as a result to share: in words, and as a link that opens it for others to beat. */
import type { AdapterSummary } from '../../../worker/api.ts';
import * as format from '../../format.ts';
import { hrefOf } from '../../route.ts';
import { compressed, expanded } from '../../share/compress.ts';
import { describe, parametersOf, type RaceText } from './sizes.ts';
import type { Measurement } from './batch.ts';
import { comparisonInWords, timeWithInterval, type EditComparison } from './verdict.ts';

type Edits = Readonly<Record<string, string>>;

/** Names of files below shaders/. */
const FILE = /^[a-z0-9_]+(\/[a-z0-9_]+)*$/;

/** The link to a race with edited WGSL. */
export const challengeLink = async (race: RaceText, edits: Edits): Promise<string> =>
  hrefOf('lab', 'race', { ...parametersOf(race), wgsl: await compressed(JSON.stringify(edits)) });

/** The edited WGSL of a link; undefined if it is damaged. */
export async function editsOf(code: string): Promise<Edits | undefined> {
  const text = await expanded(code);
  try {
    const edits: unknown = JSON.parse(text ?? '');
    if (typeof edits !== 'object' || edits === null) return undefined;
    const entries = Object.entries(edits);
    const sound = entries.every(([name, wgsl]) => FILE.test(name) && typeof wgsl === 'string');
    return sound && entries.length > 0 ? (Object.fromEntries(entries) as Edits) : undefined;
  } catch {
    return undefined;
  }
}

interface Circumstances {
  adapter: AdapterSummary | undefined;
  browser: string;
  date: Date;
  link: string;
}

/** The result in a few lines, with everything that is needed to judge it. */
export function challengeText(
  { request }: Pick<Measurement, 'request'>,
  comparison: EditComparison,
  { adapter, browser, date, link }: Circumstances,
): string {
  const { original, yours } = comparison;
  const error = (one: typeof yours) => `relative error ${format.relativeError(one.error)}`;
  return [
    comparisonInWords(comparison).replace(/^Your /, 'My '),
    `Mine: ${timeWithInterval(yours)}, ${error(yours)} against float64.`,
    `${original.algorithm}, “${original.launch}”: ${timeWithInterval(original)}, ${error(original)}.`,
    `${request.direction} of ${describe(request.sizes)}, ${request.number === 'f16' ? 'float16' : 'float32'}. Medians with 95 % confidence intervals.`,
    `${adapter?.description ?? 'Unknown adapter'}; ${browser}; ${date.toISOString().slice(0, 10)}.`,
    `Beat this kernel: ${link}`,
  ].join('\n');
}
