/** Reads checkpoints from files and the browser's storage, also those of version 0.1. */
import { Failure } from '../base/result.ts';
import type { Evaluation } from '../run/metrics/rows.ts';
import { withStoredSettings } from '../run/settings/stored.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { History } from './history.ts';

/**
 * Checks that plain data is a checkpoint, and converts what version 0.1 wrote to the current form.
 * @throws Failure('bad-file') if it is not
 */
export function asCheckpoint(name: string, value: unknown): Checkpoint {
  const bad = (what: string) => new Failure('bad-file', `${name}: a checkpoint has ${what}`);
  const { step, epoch, config, dataset, snapshot, history } = (value ?? {}) as Partial<Checkpoint>;
  if (!Number.isSafeInteger(step) || (step as number) < 0 || !Number.isSafeInteger(epoch)) {
    throw bad('its step and epoch');
  }
  if (typeof config?.model?.name !== 'string' || !config.choices) {
    throw bad('a configuration');
  }
  if (typeof dataset?.name !== 'string') throw bad("its data set's name");
  const numbers = Object.values(snapshot ?? {});
  if (numbers.length === 0 || !numbers.every((one) => one instanceof Float32Array)) throw bad('parameters');
  if (!Array.isArray(history?.evaluations)) throw bad('a history');
  return {
    ...(value as Checkpoint),
    config: withStoredSettings(`${name}: the configuration`, config),
    history: storedHistory(history as History),
  };
}

/** A stored history. Version 0.1 called the metrics of an evaluation `loss` and `accuracy`. */
export const storedHistory = (history: History): History => ({
  ...history,
  evaluations: history.evaluations.map((stored) => {
    const { loss, accuracy, ...rest } = stored as Evaluation & { loss?: number; accuracy?: number };
    return loss === undefined || accuracy === undefined
      ? rest
      : { ...rest, testLoss: loss, testAccuracy: accuracy };
  }),
});
