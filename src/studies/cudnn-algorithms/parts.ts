/** What the own kernels' time consists of, and what transposes and padding would add as kernels of their own. */
import type { ConvSetting } from '../../engine/ops/conv/algorithm.ts';
import im2colGemm, { planColumns, planGradient } from '../../engine/ops/conv/algorithms/im2col_gemm/index.ts';
import { openLaunch } from '../../engine/ops/conv/choice/open-launch.ts';
import { convProblem, DIRECTIONS, type ConvProblem, type Direction } from '../../engine/ops/conv/problem.ts';
import { DEFAULT_WORKSPACE, launchesOf } from '../../engine/ops/conv/run.ts';
import { planTranspose } from '../../engine/ops/conv/transposed.ts';
import { PlanBuilder, type Plan } from '../../engine/plan.ts';
import { Stopwatch } from '../../gpu/timing.ts';
import type { StudyContext } from '../study.ts';
import { requireGoOn } from '../times.ts';
import { caseProblem, timeManyCalls } from './cases.ts';
import { passOf, PASSES, VERSIONS, type Pass } from './contestants.ts';

interface TimedPart {
  name: string;
  ms: number;
  /** Only the report's kernels have it: here the kernel before or after it does the same while it reads. */
  separate: boolean;
}

/** Reports the parts of the second version, in the order of the report's kernels. */
export async function measureParts(context: StudyContext): Promise<void> {
  const { device, small, report, progress } = context;
  const problem = caseProblem(16, small ? 4 : 16);
  const setting: ConvSetting = { device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32' };
  const own = new Map<Direction, TimedPart[]>();
  for (const direction of DIRECTIONS) {
    requireGoOn(context);
    progress(0.8, `Parts, ${direction}`);
    own.set(direction, await ownParts(context, setting, direction));
  }
  const separate = await separateParts(context, setting);
  const parts: Record<Pass, TimedPart[]> = {
    forward: [separate.x, separate.padding, ...(own.get('fprop') ?? []), separate.y],
    backward: [
      separate.dy,
      ...(own.get('dgrad') ?? []),
      separate.cropping,
      separate.dx,
      ...(own.get('wgrad') ?? []),
    ],
  };
  for (const pass of PASSES) {
    const sum = (some: readonly TimedPart[]) => some.reduce((all, { ms }) => all + ms, 0);
    const here = sum(parts[pass].filter((part) => !part.separate));
    const all = sum(parts[pass]);
    for (const { name, ms, separate: isSeparate } of parts[pass]) {
      const share = isSeparate ? 'none' : ms / here;
      report({ figure: 'parts', cells: { pass, part: name, ms, share, withSeparate: ms / all } });
    }
  }
}

async function ownParts(
  context: StudyContext,
  setting: ConvSetting,
  direction: Direction,
): Promise<TimedPart[]> {
  const wanted = VERSIONS[1].launches?.[direction];
  const launch = launchesOf(im2colGemm, setting, direction).find(({ name }) => wanted?.test(name));
  if (!launch) return [];
  const { plan, destroy } = await openLaunch(setting, direction, launch);
  try {
    const times = await timeDispatches(context, plan);
    return times.map(({ label, ms }) => ({ name: nameOf(label, direction), ms, separate: false }));
  } finally {
    destroy();
  }
}

/** A dispatch by what it does: their labels begin with the direction. */
function nameOf(label: string, direction: Direction): string {
  const what = label.slice(direction.length).trim();
  const known: Readonly<Record<string, string>> = { '': 'matrix multiplication', sum: 'sum of its slices' };
  return `${passOf(direction) === 'forward' ? '' : `${direction}: `}${known[what] ?? what}`;
}

/** Transposes of all images at once, and padding and cropping: im2col and col2im of a filter of 1 x 1. */
async function separateParts(context: StudyContext, setting: ConvSetting) {
  const { N, C, H, W, K, P, Q, padding } = setting.problem;
  const padded: ConvProblem = convProblem({ N, C, H, W, K: C, R: 1, S: 1, padding });
  const pixels = padded.P * padded.Q;
  const piece = { firstImage: 0, images: N, first: 0 };
  const bare = { ...setting, problem: padded };
  const way = { threads: 'per_element' } as const;
  const builder = new PlanBuilder(setting.device);
  const image = () => builder.tensor('image', [N, C, H, W]);
  const turn = (label: string, [rows, columns]: readonly [number, number]) => {
    const [source, result] = [rows, columns].map((_, i) => builder.tensor(`${label} ${i}`, [rows, columns]));
    planTranspose(builder, label, [1, rows, columns], source, result);
  };
  const NAMES = {
    x: 'transpose of x to C H W N',
    padding: 'padding',
    y: 'transpose of y to N K P Q',
    dy: 'transpose of dy to K P Q N',
    cropping: 'dgrad: removal of the padding',
    dx: 'dgrad: transpose of dx to N C H W',
  };
  turn(NAMES.x, [N, C * H * W]);
  const wide = builder.tensor('padded', [N, C, padded.P, padded.Q]);
  const columns = { ...piece, count: pixels };
  planColumns(builder, NAMES.padding, bare, way, columns, pixels, { x: image(), columns: wide });
  turn(NAMES.y, [K * P * Q, N]);
  turn(NAMES.dy, [N, K * P * Q]);
  const channels = { ...piece, count: C };
  planGradient(builder, NAMES.cropping, bare, way, channels, { columns: wide, dx: image(), mask: undefined });
  turn(NAMES.dx, [C * H * W, N]);
  const plan = await builder.compile();
  try {
    const times = await timeDispatches(context, plan);
    return Object.fromEntries(
      Object.entries(NAMES).map(([part, name], i) => [part, { name, ms: times[i].ms, separate: true }]),
    ) as Record<keyof typeof NAMES, TimedPart>;
  } finally {
    plan.destroy();
  }
}

/** The median time of each dispatch, run repeatedly by itself. */
async function timeDispatches(context: StudyContext, plan: Plan): Promise<{ label: string; ms: number }[]> {
  const { device, small } = context;
  const stopwatch = await Stopwatch.create(device);
  const times: { label: string; ms: number }[] = [];
  try {
    for (const dispatch of plan.dispatches) {
      requireGoOn(context);
      const encode = (pass: GPUComputePassEncoder) => plan.encode(pass, 0, [dispatch]);
      const { median } = await timeManyCalls(device, encode, await stopwatch.once(encode), small);
      times.push({ label: dispatch.label, ms: median });
    }
  } finally {
    stopwatch.destroy();
  }
  return times;
}
