import { transfer, wrap, type Remote } from 'comlink';
import { Ending } from '../base/ending.ts';
import { fail, type Result } from '../base/result.ts';
import type { EngineChoice, WorkerApi, WorkerEvent } from '../worker/api.ts';

/**
 * The one place that makes the worker and wraps it. Calls race with the worker's death, because a dead worker answers
 * nothing and its caller would wait forever.
 */
interface Connection {
  worker: Worker;
  // Kept here for the page's life: a proxy that is garbage-collected closes its port under calls in flight.
  // https://github.com/GoogleChromeLabs/comlink/pull/693
  api: Remote<WorkerApi>;
  death: Ending<WorkerDied>;
  die(reason: string): void;
}

class WorkerDied extends Error {}

let connection: Connection | undefined;

/**
 * Starts the worker, in place of one that ran before.
 *
 * @param engine the engine that it computes on
 * @param onEvent gets everything that the worker streams
 * @param onDeath called once if the worker ends by an error, with what it said
 */
export function startWorker(
  engine: EngineChoice,
  onEvent: (event: WorkerEvent) => void,
  onDeath: (reason: string) => void,
): void {
  connection?.worker.terminate();
  const worker = new Worker(new URL('../worker/main.ts', import.meta.url), { type: 'module', name: 'wgrad' });
  const death = new Ending<WorkerDied>();
  const die = (reason: string) => {
    if (death.value) return;
    worker.terminate();
    death.happen(new WorkerDied(reason));
    onDeath(reason);
  };
  worker.addEventListener('error', (event) => die(event.message || 'The worker script could not be loaded.'));
  worker.addEventListener('messageerror', () => die('A message from the worker could not be read.'));
  connection = { worker, api: wrap<WorkerApi>(worker), death, die };

  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', (event: MessageEvent<WorkerEvent>) => onEvent(event.data));
  port1.start();
  const pageUrl = new URL('.', document.baseURI).href;
  void tell((api) => api.listen(transfer(port2, [port2]), pageUrl, engine));
}

/** Asks the worker something that can fail. A worker that dies answers with a failure, too. */
export const ask = <T>(question: (api: Remote<WorkerApi>) => Promise<Result<T>>): Promise<Result<T>> =>
  race(question, fail<T>({ code: 'cancelled', message: 'The worker stopped before responding.' }));

/** Tells the worker something that cannot fail. Answers undefined if the worker died. */
export const tell = <T>(message: (api: Remote<WorkerApi>) => Promise<T>): Promise<T | undefined> =>
  race<T | undefined>(message, undefined);

async function race<T>(call: (api: Remote<WorkerApi>) => Promise<T>, ifDead: T): Promise<T> {
  const { api, death, die } = connection ?? startedFirst();
  try {
    const answer = await death.orElse(call(api));
    return answer instanceof WorkerDied ? ifDead : answer;
  } catch (error) {
    // Expected failures come as values, so whatever the worker throws is a bug in it, and its state cannot be trusted.
    die(error instanceof Error ? error.message : String(error));
    return ifDead;
  }
}

function startedFirst(): never {
  throw new Error('wgrad bug: the worker was asked before it was started');
}
