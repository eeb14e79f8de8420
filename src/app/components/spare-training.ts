import { useApp } from '../state/store.ts';

interface Budget {
  /** Of the time, while a model trains. */
  share: number;
  /** The longest rest, in milliseconds. */
  most: number;
}

/** Waits after a question to the worker that took so many milliseconds, so that questions take only their share of the time. */
export async function spareTraining(took: number, { share, most }: Budget): Promise<void> {
  if (useApp.getState().runState !== 'training') return;
  await new Promise((resolve) => setTimeout(resolve, Math.min(most, took / share)));
}
