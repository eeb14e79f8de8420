/** Work besides training that has the GPU to itself: one task at a time, and nothing trains meanwhile. Page and worker read it. */
interface GpuTaskRow {
  /** What it does, as a sentence without its end. */
  doing: string;
  /** The screen that stops it; absent where it takes only seconds. */
  screen?: string;
}

const TASKS = {
  lab: { doing: 'The Lab is benchmarking', screen: 'Lab' },
  profile: { doing: 'A step is being profiled', screen: 'Profile' },
  doctor: { doing: 'The Doctor is examining', screen: 'Doctor' },
  studies: { doing: 'A study is being measured', screen: 'Studies' },
  predict: { doing: 'A set of images is being predicted', screen: 'Inspect' },
  fold: { doing: 'Folding batch norm is being measured' },
} satisfies Record<string, GpuTaskRow>;

export type GpuTask = keyof typeof TASKS;

export const GPU_TASKS = Object.keys(TASKS) as GpuTask[];

/** Why nothing else starts while a task has the GPU, and what to do. */
export function busyWith(task: GpuTask): { message: string; advice: string } {
  const { doing, screen }: GpuTaskRow = TASKS[task];
  return {
    message: `${doing}, and has the GPU to itself.`,
    advice: `Wait until it finishes${screen === undefined ? '' : `, or stop it on the ${screen} screen`}.`,
  };
}
