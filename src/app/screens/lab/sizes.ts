/** A race as text: its sizes as they are typed, checked, and written into links. */
import type { Pair } from '../../../base/shape.ts';
import { inRange, numberIn } from '../../widgets/number-rule.ts';
import { parsePadding, showPadding } from '../../../base/padding.ts';
import type { FailureValue, Result } from '../../../base/result.ts';
import type {
  AdapterSummary,
  ConvDirection,
  ConvNumber,
  ConvSizes,
  ProblemSummary,
} from '../../../worker/api.ts';
import { LETTERS, PAIRS, showPair, textOf, type SizesText } from '../../share/conv-sizes.ts';

export const MEANING: Readonly<Record<keyof SizesText, string>> = {
  N: 'images',
  C: 'input channels',
  H: 'input height',
  W: 'input width',
  K: 'filters',
  R: 'filter height',
  S: 'filter width',
  stride: 'one number, or vertical × horizontal',
  padding: 'one number, vertical × horizontal, four (top, bottom, left, right), “same” or “valid”',
  dilation: 'one number, or vertical × horizontal',
  groups: 'C for depthwise',
  layout: 'order of dimensions in memory: nchw or nhwc',
};

/** Parses sizes. Whether they fit together is checked by the worker. `errors` has a message for each invalid field. */
export function readSizes(
  text: SizesText,
): { sizes: ConvSizes } | { errors: Partial<Record<keyof SizesText, string>> } {
  const errors: Partial<Record<keyof SizesText, string>> = {};
  const whole = (name: keyof SizesText, part: string): number => {
    const trimmed = part.trim();
    if (!/^\d{1,9}$/.test(trimmed)) errors[name] = 'Enter a whole number.';
    return Number(trimmed);
  };
  const pair = (name: 'stride' | 'dilation'): Pair => {
    const parts = text[name].split(/[x×,]/);
    if (parts.length > 2) errors[name] = 'Enter one number, or two as in 2x1.';
    const vertical = whole(name, parts[0]);
    return [vertical, parts.length === 1 ? vertical : whole(name, parts[1])];
  };
  const padding = (): ConvSizes['padding'] => {
    const read = parsePadding(text.padding);
    if (read === undefined)
      errors.padding = 'Enter one number, two as in 2x1, four as in 0,1,0,1, same or valid.';
    return read ?? 'valid';
  };
  const layout = (): ConvSizes['layout'] => {
    if (text.layout !== 'nchw' && text.layout !== 'nhwc') errors.layout = 'Enter nchw or nhwc.';
    return text.layout === 'nhwc' ? 'nhwc' : 'nchw';
  };
  const [N, C, H, W, K, R, S] = LETTERS.map((name) => whole(name, text[name]));
  const sizes: ConvSizes = {
    N,
    C,
    H,
    W,
    K,
    R,
    S,
    stride: pair('stride'),
    padding: padding(),
    dilation: pair('dilation'),
    groups: whole('groups', text.groups),
    layout: layout(),
  };
  return Object.keys(errors).length > 0 ? { errors } : { sizes };
}

/** In words: "N 16, C 4, 32 × 32, 16 filters of 3 × 3, padding 1". */
export function describe(sizes: ConvSizes): string {
  const { N, C, H, W, K, R, S, stride, padding, dilation, groups, layout } = sizes;
  const pair = (pairOf: Pair) => showPair(pairOf).replace('x', ' × ');
  const around = showPadding(padding).replace('x', ' × ').replaceAll(',', ', ');
  return [
    `N ${N}`,
    `C ${C}`,
    `${H} × ${W}`,
    `${K} ${K === 1 ? 'filter' : 'filters'} of ${R} × ${S}`,
    pair(stride) === '1' ? '' : `stride ${pair(stride)}`,
    around === '0' || around === 'valid' ? '' : `padding ${around}`,
    pair(dilation) === '1' ? '' : `dilation ${pair(dilation)}`,
    groups === 1 ? '' : `${groups} groups`,
    layout === 'nchw' ? '' : 'NHWC',
  ]
    .filter(Boolean)
    .join(', ');
}

export const sameSizes = (a: ConvSizes, b: ConvSizes): boolean =>
  JSON.stringify(Object.values(textOf(a))) === JSON.stringify(Object.values(textOf(b)));

export const DIRECTIONS: readonly [ConvDirection, ...ConvDirection[]] = ['fprop', 'dgrad', 'wgrad'];

export const MEANING_OF_DIRECTION: Readonly<Record<ConvDirection, string>> = {
  fprop: 'forward: the output y from x and w',
  dgrad: 'backward: the gradient of the input, dx from dy and w',
  wgrad: 'backward: the gradient of the filters, dw from dy and x',
};

export type RaceNumbers = ConvNumber | 'both';

/** A race as typed. */
export interface RaceText {
  sizes: SizesText;
  direction: ConvDirection;
  numbers: RaceNumbers;
  /** MiB; what training has, if empty. */
  workspace: string;
  /** Per workgroup, and workgroups, of algorithms that have no size of their own; theirs, if empty. */
  threads: string;
  workgroups: string;
  /** All, if empty. */
  algorithms: readonly string[];
  /** Whether the CPU engine is timed too; '' if nobody chose. */
  cpu: '' | 'yes' | 'no';
}

/** Whether a race times the CPU engine too: without a choice, beside a real GPU. */
export const withCpu = (
  { cpu }: Pick<RaceText, 'cpu'>,
  adapter: Pick<AdapterSummary, 'cpu' | 'software'> | undefined,
): boolean => adapter !== undefined && !adapter.cpu && (cpu === '' ? !adapter.software : cpu === 'yes');

/** In links: the workspace of training. */
const AUTO = 'auto';

/** Left out of links. */
const DEFAULTS: Readonly<Record<string, string>> = {
  stride: '1',
  padding: '0',
  dilation: '1',
  groups: '1',
  layout: 'nchw',
  direction: 'fprop',
  numbers: 'f32',
  workspace: '64',
  threads: '',
  workgroups: '',
  algorithms: '',
  cpu: '',
};

/** The parameters of a link to a race; `raceFrom` reads them. */
export function parametersOf({
  sizes,
  direction,
  numbers,
  workspace,
  threads,
  workgroups,
  algorithms,
  cpu,
}: RaceText): Record<string, string> {
  const all: Record<string, string> = {
    ...sizes,
    direction,
    numbers,
    workspace: workspace === '' ? AUTO : workspace,
    threads,
    workgroups,
    algorithms: algorithms.join(','),
    cpu,
  };
  return Object.fromEntries(Object.entries(all).filter(([name, value]) => value !== DEFAULTS[name]));
}

/** Reads a race from a link; undefined if the link has none. Invalid sizes are passed on, so that the form shows the error. */
export function raceFrom(parameters: Readonly<Record<string, string>>): RaceText | undefined {
  if (!LETTERS.some((name) => name in parameters)) return undefined;
  const value = (name: string, fallback: string) => parameters[name] ?? DEFAULTS[name] ?? fallback;
  const names = [...LETTERS, ...PAIRS, 'groups', 'layout'] as const;
  const sizes = Object.fromEntries(names.map((name) => [name, value(name, '1').slice(0, 20)])) as SizesText;
  const numbers = value('numbers', 'f32');
  const workspace = value('workspace', '64').slice(0, 20);
  return {
    sizes,
    direction: DIRECTIONS.find((one) => one === parameters.direction) ?? 'fprop',
    numbers: numbers === 'f16' || numbers === 'both' ? numbers : 'f32',
    workspace: workspace === AUTO ? '' : workspace,
    threads: value('threads', '').slice(0, 20),
    workgroups: value('workgroups', '').slice(0, 20),
    algorithms: value('algorithms', '').split(',').filter(Boolean).slice(0, 32),
    cpu: parameters.cpu === 'yes' || parameters.cpu === 'no' ? parameters.cpu : '',
  };
}

export const MEBIBYTE = 2 ** 20;

/** Bytes of workspace in training, where nothing else is set; a usual number until the device is known. */
export const usualWorkspace = (adapter: Pick<AdapterSummary, 'workspace'> | undefined): number =>
  adapter?.workspace ?? 64 * MEBIBYTE;

/** What the fields of a race may be: the workspace in MiB; of a launch's size the device allows less, and says so in the race. */
export const LIMITS = {
  workspace: inRange({ least: 0, most: 4096, optional: true }),
  threads: inRange({ whole: true, least: 1, most: 1024, optional: true }),
  workgroups: inRange({ whole: true, least: 1, most: 65535, optional: true }),
};

/** Parses the workspace limit, in bytes; undefined if it is invalid. */
export function workspaceOf(
  { workspace }: Pick<RaceText, 'workspace'>,
  adapter?: Pick<AdapterSummary, 'workspace'>,
): number | undefined {
  const mebibytes = numberIn(workspace);
  if (mebibytes === undefined) return usualWorkspace(adapter);
  return LIMITS.workspace.accepts(mebibytes) ? Math.floor(mebibytes * MEBIBYTE) : undefined;
}

export type CheckedProblem =
  | { state: 'checking'; sizes: ConvSizes }
  | { state: 'valid'; sizes: ConvSizes; summary: ProblemSummary }
  | { state: 'invalid'; error: FailureValue; fields: ReadonlySet<string> };

/** A problem with an error in one of its fields. @param fields all that have one */
export const invalid = (
  name: keyof SizesText,
  message: string,
  fields: readonly string[] = [name],
): CheckedProblem => ({
  state: 'invalid',
  error: { code: 'bad-input', message: `${name} (${MEANING[name]}): ${message}` },
  fields: new Set(fields),
});

/**
 * Checks sizes as they are typed.
 * @param answer the worker's verdict on them; undefined until it is known
 */
export function checkSizes(text: SizesText, answer: Result<ProblemSummary> | undefined): CheckedProblem {
  const read = readSizes(text);
  if ('errors' in read) {
    const [[name, message]] = Object.entries(read.errors) as [keyof SizesText, string][];
    return invalid(name, message, Object.keys(read.errors));
  }
  if (!answer) return { state: 'checking', sizes: read.sizes };
  return answer.ok
    ? { state: 'valid', sizes: read.sizes, summary: answer.value }
    : { state: 'invalid', error: answer.error, fields: new Set() };
}

/** The first field whose number is not allowed. */
export const wrongField = (race: RaceText): keyof typeof LIMITS | undefined =>
  (['workspace', 'threads', 'workgroups'] as const).find(
    (name) => !LIMITS[name].accepts(numberIn(race[name])),
  );

/** Why a race cannot start as it is typed; undefined if it can. */
export function raceError(race: RaceText, { state }: CheckedProblem): string | undefined {
  if (state === 'invalid') return 'Invalid sizes. See above.';
  const wrong = wrongField(race);
  const titles = { workspace: 'Workspace', threads: 'Workgroup size', workgroups: 'Workgroups' };
  return wrong && `${titles[wrong]} must be ${LIMITS[wrong].expected}.`;
}
