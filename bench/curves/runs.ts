/** Reads what `wgrad train` printed: its lines of epochs and its last one. */
import { Failure } from '../../src/base/result.ts';

export interface Epoch {
  epoch: number;
  /** 0 to 1, over the whole test set. */
  accuracy: number;
  /** Training time until then, without evaluations. */
  seconds: number;
}

export interface TrainedRun {
  name: string;
  epochs: Epoch[];
  adapter: string;
}

/** @throws Failure `bad-input` if there are no epochs, or the run did not end */
export function readRun(name: string, text: string): TrainedRun {
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Record<string, unknown> => JSON.parse(line) as Record<string, unknown>);
  const numberOf = (line: Record<string, unknown>, key: string): number => {
    const value = line[key];
    if (typeof value === 'number') return value;
    throw new Failure('bad-input', `${name}: expected a number as "${key}", found ${JSON.stringify(value)}`);
  };
  const epochs = lines
    .filter((line) => 'test_accuracy' in line && 'epoch' in line)
    .map((line) => ({
      epoch: numberOf(line, 'epoch'),
      accuracy: numberOf(line, 'test_accuracy'),
      seconds: numberOf(line, 'train_seconds'),
    }));
  const final = lines.find((line) => line['final'] === true);
  if (epochs.length === 0) throw new Failure('bad-input', `${name}: expected lines of epochs, found none`);
  if (!final || typeof final['adapter'] !== 'string') {
    throw new Failure('bad-input', `${name}: expected the last line of a run that ended, found none`);
  }
  return { name, epochs, adapter: final['adapter'] };
}

/** The first epoch whose accuracy is `target` or more. */
export const firstAt = ({ epochs }: TrainedRun, target: number): Epoch | undefined =>
  epochs.find(({ accuracy }) => accuracy >= target);
