import type { Remote } from 'comlink';
import type { Result } from '../base/result.ts';
import type { WorkerApi } from '../worker/api.ts';
import { ask } from './client.ts';
import { useApp } from './state/store.ts';

/**
 * Asks what fails only where the code that answers could not be fetched. That is shown above the screen; the answer is
 * undefined then.
 */
export async function askPart<T>(
  question: (api: Remote<WorkerApi>) => Promise<Result<T>>,
): Promise<T | undefined> {
  const answer = await ask(question);
  if (answer.ok) return answer.value;
  if (answer.error.code === 'download') useApp.setState({ missingPart: answer.error });
  return undefined;
}
