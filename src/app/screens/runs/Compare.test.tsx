import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Options } from 'uplot';
import { expect, test, vi } from 'vitest';
import type { RunRecord } from '../../journal/record.ts';
import { Curves } from './Compare.tsx';

const plots: Options[] = [];
vi.mock('uplot', () => ({
  default: class {
    static join = () => [];
    constructor(options: Options) {
      plots.push(options);
    }
    setData = () => undefined;
    destroy = () => undefined;
  },
}));
const points = { step: Float64Array.of(1, 2), smoothLoss: Float32Array.of(40, 0.5) };
vi.mock('./curves.ts', () => ({ useCurves: (records: unknown[]) => records.map(() => points) }));

const run = (id: string): RunRecord =>
  ({
    id,
    name: `run-${id}`,
    config: { dataset: 'digits', batchSize: 64 },
    state: 'stopped',
    step: 2,
    evaluations: [{ step: 2, epoch: 1, testLoss: 0.5, testAccuracy: 0.9 }],
  }) as unknown as RunRecord;

test('losses that lie far apart are compared on a logarithmic axis, accuracies never', async () => {
  const records = [run('a'), run('b')];
  render(<Curves records={records} />);
  const [loss, accuracy] = plots.splice(0);
  expect(loss.scales?.['y']).toEqual({ range: [0, 42] });
  expect(accuracy.scales?.['y']).toEqual({ range: [0, 1] });
  await userEvent.click(screen.getByRole('radio', { name: 'Log' }));
  expect(plots).toHaveLength(1);
  expect(plots[0].scales?.['y']).toMatchObject({ distr: 3, log: 10, range: [0.45, expect.closeTo(44)] });
});
