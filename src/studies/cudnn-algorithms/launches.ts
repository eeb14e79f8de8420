/** The report's search over launch parameters: workgroups (its blocks) and threads of each. */
import type { ConvSetting, LaunchSize } from '../../engine/ops/conv/algorithm.ts';
import im2colGemm from '../../engine/ops/conv/algorithms/im2col_gemm/index.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import { openLaunch } from '../../engine/ops/conv/choice/open-launch.ts';
import type { Direction } from '../../engine/ops/conv/problem.ts';
import { DEFAULT_WORKSPACE, launchesOf, whyNot } from '../../engine/ops/conv/run.ts';
import type { Cell, FigureColumn, StudyContext } from '../study.ts';
import { requireGoOn, searching } from '../times.ts';
import { caseProblem, timeManyCalls } from './cases.ts';
import { passOf, VERSIONS } from './contestants.ts';
import { PRINTED } from './published.ts';

const DIRECTIONS = ['fprop', 'dgrad'] as const;

const SEARCHED = [PRINTED.fewThreads, PRINTED.manyThreads].map(({ value }) => Number(value));
/** Smaller ones, too, which every device has. */
const THREADS = [32, 64, ...SEARCHED];
const WORKGROUPS = [PRINTED.fewBlocks, PRINTED.manyBlocks].map(({ value }) => Number(value));

const columnOf = (threads: number) => `threads${threads}`;

export const LAUNCH_COLUMNS: readonly FigureColumn[] = [
  { name: 'kernel', title: 'Kernel', key: true },
  { name: 'workgroups', title: 'Workgroups', key: true },
  ...THREADS.map((threads): FigureColumn => ({
    name: columnOf(threads),
    title: `${threads} threads`,
    unit: 'ms',
  })),
  { name: 'fastest', title: 'Fastest' },
];

export async function measureLaunches(context: StudyContext): Promise<void> {
  const { small, report, progress } = context;
  const counts = small ? WORKGROUPS.slice(0, 1) : [...WORKGROUPS, undefined];
  for (const [i, direction] of DIRECTIONS.entries()) {
    for (const [j, workgroups] of counts.entries()) {
      progress(0.85 + 0.15 * ((i + j / counts.length) / 2), `Launch parameters, ${direction}`);
      const times = new Map<number, readonly (number | undefined)[]>();
      for (const threads of THREADS)
        times.set(threads, await measureSize(context, direction, { threads, workgroups }));
      for (const [version, { bars }] of VERSIONS.entries()) {
        const timed = [...times].flatMap(([threads, all]) => {
          const ms = all[version];
          return ms === undefined ? [] : [{ threads, ms }];
        });
        const [fastest] = timed.toSorted((a, b) => a.ms - b.ms);
        const cells: Record<string, Cell> = {
          kernel: bars[passOf(direction)] ?? '',
          workgroups: workgroups === undefined ? 'as many as it needs' : String(workgroups),
          fastest: fastest ? `${fastest.threads} threads` : 'none',
        };
        for (const { threads, ms } of timed) cells[columnOf(threads)] = ms;
        report({ figure: 'launches', cells });
      }
    }
  }
}

/** Milliseconds of each version's im2col or col2im alone; undefined where the device has no such workgroups. */
async function measureSize(
  context: StudyContext,
  direction: Direction,
  launchSize: LaunchSize,
): Promise<(number | undefined)[]> {
  requireGoOn(context);
  const { device, small, undone } = context;
  const problem = caseProblem(16, small ? 4 : 16);
  const setting: ConvSetting = { device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32', launchSize };
  if (whyNot(im2colGemm, setting, direction) !== undefined) return [];
  const all = launchesOf(im2colGemm, setting, direction);
  const wanted = VERSIONS.map(({ launches }) => all.find(({ name }) => launches?.[direction].test(name)));
  const { tried } = await find(device, problem, direction, {
    ...searching(context),
    workspace: DEFAULT_WORKSPACE,
    launchSize,
    algorithms: [im2colGemm.name],
    exclude: (_, name) => !wanted.some((launch) => launch?.name === name),
    samples: 3,
  });
  const times: (number | undefined)[] = [];
  for (const launch of wanted) {
    const verified = tried.find((one) => one.launch === launch?.name);
    if (!launch || verified?.outcome !== 'timed') {
      undone(`${launch?.name}, ${direction}, is ${verified?.outcome ?? 'missing'}`);
      times.push(undefined);
      continue;
    }
    const { plan, destroy } = await openLaunch(setting, direction, launch);
    try {
      const own = plan.dispatches.filter(({ label }) => /(im2col|col2im)$/.test(label));
      const time = await timeManyCalls(device, (pass) => plan.encode(pass, 0, own), verified.median, small);
      times.push(time.median);
    } finally {
      destroy();
    }
  }
  return times;
}
