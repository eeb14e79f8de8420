import type { Remote } from 'comlink';
import type { Result } from '../base/result.ts';
import type { WorkerApi } from '../worker/api.ts';
import { ask } from './client.ts';
import type { GpuTask } from './state/device.ts';
import { useApp } from './state/store.ts';

/** Asks the worker for work that has the GPU to itself: meanwhile nothing else can start. */
export async function askAlone<T>(
  task: GpuTask,
  question: (api: Remote<WorkerApi>) => Promise<Result<T>>,
): Promise<Result<T>> {
  useApp.setState({ gpuTask: task });
  const answer = await ask(question);
  useApp.setState({ gpuTask: undefined });
  return answer;
}
