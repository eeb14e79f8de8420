/**
 * The API between page and worker: types only. Calls go over Comlink and return values, never throwing for expected
 * failures; streams go over a separate MessagePort as `WorkerEvent`s. Each part of the worker declares its share in its
 * folder's `api.ts`.
 */
import type { EngineChoice } from './device/api.ts';

export type * from './builder/api.ts';
export type * from './data/api.ts';
export type * from './device/api.ts';
export type * from './doctor/api.ts';
export type * from './exchange/api.ts';
export type * from './inspect/api.ts';
export type * from './lab/api.ts';
export type * from './predict/api.ts';
export type * from './profile/api.ts';
export type * from './runs/api.ts';
export type * from './studies/api.ts';
export type * from './train/api.ts';
export type * from './trained/api.ts';

interface MainApi {
  /**
   * Passes the port for events, the URL of the page's folder, ending in "/", which a worker cannot know, the engine to
   * compute on, and a lock that the worker then holds until it is gone. Call once, first. Returns whether it holds the
   * lock: pages loaded over HTTP have none.
   */
  listen(port: MessagePort, pageUrl: string, engine: EngineChoice, life: string): Promise<boolean>;
  /** Resolves as soon as the worker is free. */
  pulse(): Promise<void>;
}

/** For each part, its calls and events. Parts add themselves by declaration merging. */
export interface Parts {
  main: { calls: MainApi; events: never };
}

/** `A | B` as `A & B`. */
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer Both) => void
  ? Both
  : never;

export type WorkerApi = All<Parts[keyof Parts]['calls']>;

export type WorkerEvent = Parts[keyof Parts]['events'];
