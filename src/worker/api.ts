/**
 * The API between page and worker: types only. Calls go over Comlink and return values, never throwing for expected
 * failures; streams go over a separate MessagePort as `WorkerEvent`s. Each part of the worker declares its share in its
 * folder's `api.ts`.
 */
import type { Result } from '../base/result.ts';
import type { EngineChoice } from './device/api.ts';

export type * from './builder/api.ts';
export type * from './data/api.ts';
export type * from './device/api.ts';
export type * from './doctor/api.ts';
export type * from './exchange/api.ts';
export type * from './familiar/api.ts';
export type * from './inspect/api.ts';
export type * from './kernels/api.ts';
export type * from './lab/api.ts';
export type * from './predict/api.ts';
export type * from './profile/api.ts';
export type * from './runs/api.ts';
export type * from './studies/api.ts';
export type * from './submission/api.ts';
export type * from './train/api.ts';
export type * from './trained/api.ts';

export interface MainApi {
  /**
   * Passes the port for events, the URL of the page's folder, ending in "/", which a worker cannot know, the engine to
   * compute on, a lock that the worker then holds until it is gone, and whether it may store anything in the browser.
   * Call once, first. Returns whether it holds the lock: pages loaded over HTTP have none.
   */
  listen(
    port: MessagePort,
    pageUrl: string,
    engine: EngineChoice,
    life: string,
    keeps: boolean,
  ): Promise<boolean>;
  /** Resolves as soon as the worker is free. */
  pulse(): Promise<void>;
}

/** For each part, its calls and events. Parts add themselves by declaration merging. */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- see above
export interface Parts {}

/** What answers the calls of a part: expected failures are values. */
type Answered<Calls> = {
  [Call in keyof Calls]: Calls[Call] extends (...args: infer Args) => infer Value
    ? (...args: Args) => Promise<Result<Value>>
    : never;
};

/** The parts by name: `api.inspect.look(...)`. */
export type WorkerApi = MainApi & {
  [Name in keyof Parts]: Answered<Parts[Name]['calls']>;
};

export type WorkerEvent = Parts[keyof Parts]['events'];
