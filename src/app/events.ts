/** What the worker streams: every part of the page listens for its own events. */
import type { WorkerEvent } from '../worker/api.ts';

type Listener<Type extends WorkerEvent['type']> = (event: Extract<WorkerEvent, { type: Type }>) => void;

const listeners = new Map<WorkerEvent['type'], Set<(event: never) => void>>();

/** Calls `listener` with every event of a type, in the order in which the listeners came. */
export function onEvent<Type extends WorkerEvent['type']>(type: Type, listener: Listener<Type>): void {
  const known = listeners.get(type) ?? new Set();
  listeners.set(type, known.add(listener));
}

/** Hands an event of the worker to those who listen for its type. */
export function emit(event: WorkerEvent): void {
  for (const listener of listeners.get(event.type) ?? []) (listener as (one: WorkerEvent) => void)(event);
}
