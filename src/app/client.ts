import { transfer, wrap } from 'comlink';
import { Ending } from '../base/ending.ts';
import { threadIsGone } from '../base/life-lock.ts';
import { fail, type Result } from '../base/result.ts';
import { uniqueId } from '../base/unique-id.ts';
import type { EngineChoice, WorkerApi, WorkerEvent } from '../worker/api.ts';
import { startHeartbeat } from './heartbeat.ts';
import { KEEPS } from './state/remember.ts';

/**
 * The one place that makes the worker and wraps it. Calls race with the worker's death, because a dead worker answers
 * nothing and its caller would wait forever.
 */
interface Connection {
  // Kept here for the page's life: a proxy that is garbage-collected closes its port under calls in flight.
  // https://github.com/GoogleChromeLabs/comlink/pull/693
  api: WorkerApi;
  death: Ending<WorkerDied>;
  /** Resolves when its thread is gone. */
  gone: Promise<void>;
  /** Terminates it. Calls under way are answered by failures. */
  end(reason: string): void;
  /** Terminates it, and reports why. Calls under way are answered by failures. */
  die(reason: string): void;
}

export interface WorkerListener {
  /** Gets everything that the worker streams. */
  onEvent(event: WorkerEvent): void;
  /** Called once if the worker ends by itself, with what it said. */
  onDeath(reason: string): void;
  /** Called with whether the worker responds, when that changes. */
  onResponds(responds: boolean): void;
}

class WorkerDied extends Error {}

/** How long a restart waits for the thread before, at most: browsers interrupt one that computes after about two seconds. */
const GONE_MS = 10_000;

let connection: Connection | undefined;

const wholeWorker = () =>
  new Worker(new URL('../worker/main.ts', import.meta.url), { type: 'module', name: 'wgrad' });

/** The worker that public/first.js began with, once. */
function begunWorker(): Worker | undefined {
  const begun = globalThis as { wgradWorker?: Worker };
  const { wgradWorker: worker } = begun;
  delete begun.wgradWorker;
  return worker;
}

/**
 * Starts the worker. Call `endWorker` first if one runs.
 *
 * @param engine the engine that it computes on
 * @param make one that answers less than the whole worker
 */
export function startWorker(
  engine: EngineChoice,
  listener: WorkerListener,
  make = () => begunWorker() ?? wholeWorker(),
): void {
  connection = open(engine, listener, make, KEEPS);
}

/**
 * Starts another worker: for work that may have to be ended.
 * @param keeps whether it may use what the browser stores
 */
export function workerApart(engine: EngineChoice, listener: WorkerListener, keeps = false) {
  const apart = open(engine, listener, wholeWorker, keeps);
  return {
    ask: <T>(question: (api: WorkerApi) => Promise<Result<T>>) => race(question, DEAD, apart),
    end: () => apart.end('It was ended.'),
  };
}

function open(
  engine: EngineChoice,
  { onEvent, onDeath, onResponds }: WorkerListener,
  make: () => Worker,
  keeps: boolean,
): Connection {
  const worker = make();
  const { port1, port2 } = new MessageChannel();
  const death = new Ending<WorkerDied>();
  let stopHeartbeat: () => void = () => undefined;
  const end = (reason: string) => {
    worker.terminate();
    // Its last events would come among those of the next one, whose runs are numbered from 1 again.
    port1.close();
    stopHeartbeat();
    death.happen(new WorkerDied(reason));
  };
  const die = (reason: string) => {
    if (death.value) return;
    end(reason);
    onDeath(reason);
  };
  worker.addEventListener('error', (event) => die(event.message || 'The worker script could not be loaded.'));
  worker.addEventListener('messageerror', () => die('A message from the worker could not be read.'));
  const api = wrap(worker) as unknown as WorkerApi;

  port1.addEventListener('message', (event: MessageEvent<WorkerEvent>) => onEvent(event.data));
  port1.start();
  const pageUrl = new URL('.', document.baseURI).href;
  const life = `wgrad-worker:${uniqueId()}`;
  const watch = async () => {
    const held = await race(
      (one) => one.listen(transfer(port2, [port2]), pageUrl, engine, life, keeps),
      undefined,
      own,
    );
    if (held === undefined) return;
    stopHeartbeat = startHeartbeat(() => api.pulse(), onResponds);
    if (!held) return;
    await threadIsGone(life);
    die('It ended without a message. Most likely it ran out of memory.');
  };
  const own: Connection = { api, death, gone: Promise.resolve(), end, die };
  own.gone = watch();
  return own;
}

/**
 * Ends the worker, if one runs. Calls under way are answered by failures. Resolves when its thread is gone, and so are its
 * locks.
 */
export async function endWorker(): Promise<void> {
  if (!connection) return;
  connection.end('The worker was restarted.');
  await Promise.race([connection.gone, new Promise((done) => setTimeout(done, GONE_MS))]);
}

const DEAD = fail<never>({ code: 'cancelled', message: 'The worker stopped before responding.' });

/** Asks the worker something. A worker that dies answers with a failure, too. */
export const ask = <T>(question: (api: WorkerApi) => Promise<Result<T>>): Promise<Result<T>> =>
  race(question, DEAD, connection ?? startedFirst());

async function race<T>(
  call: (api: WorkerApi) => Promise<T>,
  ifDead: T,
  { api, death, die }: Connection,
): Promise<T> {
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
  throw new Error('wgrad bug: the worker was called before it was started');
}
