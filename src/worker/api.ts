/**
 * What the page and the worker say to each other: types only. Calls go over Comlink and return values, never throw for
 * expected failures; everything that streams goes over a MessagePort of its own as `WorkerEvent`s. Each part of the
 * worker adds its share in the `api.ts` of its own folder.
 */
export type * from './builder/api.ts';
export type * from './data/api.ts';
export type * from './device/api.ts';
export type * from './doctor/api.ts';
export type * from './inspect/api.ts';
export type * from './lab/api.ts';
export type * from './profile/api.ts';
export type * from './runs/api.ts';
export type * from './train/api.ts';

interface MainApi {
  /**
   * Hands over the port that events go to, and the address of the page's folder, ending in "/", which a worker cannot
   * know. Call once, first.
   */
  listen(port: MessagePort, pageUrl: string): Promise<void>;
}

/** By part, the calls that it answers and the events that it sends. Parts add themselves by declaration merging. */
export interface Parts {
  main: { calls: MainApi; events: never };
}

/** `A | B` as `A & B`. */
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer Both) => void
  ? Both
  : never;

export type WorkerApi = All<Parts[keyof Parts]['calls']>;

export type WorkerEvent = Parts[keyof Parts]['events'];
