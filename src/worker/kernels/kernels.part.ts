import { Failure } from '../../base/result.ts';
import { cpuGpu } from '../../cpu/device/gpu.ts';
import { openDevice } from '../../gpu/device.ts';
import { kernelLessons, kernelText, lessonsInOrder } from '../../kernel-lessons/index.ts';
import type { KernelLesson, LessonEngine } from '../../kernel-lessons/lesson.ts';
import type { LessonSummary } from '../api.ts';
import type { WorkerPart } from '../part.ts';
import type { Engines } from '../device/engines.ts';
import { tryKernel } from './try-kernel.ts';

const kernelsPart: WorkerPart<'kernels'> = ({ engines, events }) => ({
  kernelLessons: () => lessonsInOrder().map(summaryOf),
  tryKernel: (name, text) =>
    tryKernel(
      kernelLessons.get(name),
      text,
      // One thread, so that a rate does not depend on how many there are.
      { openCpu: (watched) => openDevice(cpuGpu({ watched })), openGpu: () => openGpu(engines) },
      (engine, passed, of) => events.send({ type: 'kernel', engine, passed, of }),
    ),
});

async function openGpu(engines: Engines) {
  if (engines.choice === 'cpu') throw new Failure('no-webgpu', 'You chose the CPU to compute on.');
  const device = await engines.open('gpu');
  if (!device.adapter.software) return device;
  device.destroy();
  throw new Failure('no-webgpu', `There is no GPU here, only ${device.adapter.description}.`);
}

const ENGINES: readonly LessonEngine[] = ['cpu', 'gpu'];

function summaryOf(lesson: KernelLesson): LessonSummary {
  const { name, rates } = lesson;
  return {
    name,
    skeleton: kernelText(name, 'skeleton'),
    solution: kernelText(name, 'solution'),
    rates: ENGINES.flatMap((engine) => {
      const rate = rates[engine];
      return rate ? [{ engine, goal: rate.goal }] : [];
    }),
  };
}

export default kernelsPart;
