import type { Result } from '../base/result.ts';
import type { WorkerApi } from '../worker/api.ts';
import { ask } from './client.ts';
import { useApp } from './state/store.ts';

/**
 * Asks a question that fails only if the code that answers it cannot be fetched. The failure is shown above the
 * screen; the answer is then undefined.
 */
export async function askPart<T>(question: (api: WorkerApi) => Promise<Result<T>>): Promise<T | undefined> {
  const answer = await ask(question);
  if (answer.ok) return answer.value;
  if (answer.error.code === 'download') useApp.setState({ missingPart: answer.error });
  return undefined;
}
