import type { LabEvent } from '../../../worker/api.ts';

type Listener = (event: LabEvent) => void;

const listeners = new Set<Listener>();

/** What the Lab's code, loaded when it is first shown, hears from the worker. */
export const labEvents = {
  emit(event: LabEvent): void {
    for (const listener of listeners) listener(event);
  },
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
