import { describe, expect, test } from 'vitest';
import { expectWithin, processorTime } from '../../base/testing/processor-time.ts';
import { readMetrics, writeMetrics } from './csv.ts';
import { noPoints, thinned, type Points } from './points.ts';
import { columnsOf, evaluationLine, packRows, stepLine, unpackRows, type StepRow } from './rows.ts';
import { EVALUATION_METRICS, STEP_METRICS } from './table.ts';

const row = (step: number): StepRow => ({
  step,
  loss: 1 / step,
  accuracy: 0.5,
  imagesPerSecond: 100,
  learningRate: 0.25,
  gradientNorm: step,
});

/** Points with a learning rate, which need not be saved. */
const points = (first: number, count: number): Points => {
  const step = Float64Array.from({ length: count }, (_, i) => first + i);
  const column = new Float32Array(count).fill(0.5);
  return {
    step,
    loss: column,
    smoothLoss: column,
    accuracy: column,
    smoothAccuracy: column,
    learningRate: column,
  };
};

test('keys, columns and JSON keys are unique', () => {
  const metrics: readonly { key: string; csv?: string; json?: string }[] = [
    ...STEP_METRICS,
    ...EVALUATION_METRICS,
  ];
  for (const name of ['key', 'csv', 'json'] as const) {
    const names = metrics.flatMap((metric) => metric[name] ?? []);
    expect(new Set(names).size, name).toBe(names.length);
  }
});

test('rows survive packing; unknown values are NaN', () => {
  const columns = columnsOf(row(1));
  expect(unpackRows(packRows([row(1), row(2)], columns), columns)).toEqual([row(1), row(2)]);
  const { gradientNorm: _, ...plain } = row(3);
  expect(unpackRows(packRows([plain], columns), columns)).toEqual([{ ...plain, gradientNorm: NaN }]);
});

test('JSON lines have their established names', () => {
  expect(stepLine(row(2))).toEqual({ loss: 0.5 });
  const evaluation = { step: 2, epoch: 1, trainLoss: 3, testLoss: 2, testAccuracy: 0.5 };
  expect(evaluationLine(evaluation)).toEqual({ train_loss: 3, test_loss: 2, test_accuracy: 0.5 });
});

describe('metrics.csv', () => {
  const evaluations = [{ step: 2, epoch: 1, testLoss: 0.5, testAccuracy: 0.75, trainLoss: 1 }];

  test('restores every column', () => {
    const csv = writeMetrics({ points: points(1, 3), evaluations });
    expect(csv.split('\n')[0]).toBe(
      'step,loss,smooth_loss,accuracy,smooth_accuracy,learning_rate,epoch,train_loss,test_loss,test_accuracy',
    );
    expect(readMetrics(csv)).toEqual({ points: points(1, 3), evaluations });
  });

  test('has the validation of runs that held images back', () => {
    const validated = evaluations.map((one) => ({ ...one, validationLoss: 0.6, validationAccuracy: 0.5 }));
    const csv = writeMetrics({ points: points(1, 3), evaluations: validated });
    expect(csv.split('\n', 1)[0]).toMatch(/test_accuracy,validation_loss,validation_accuracy$/);
    expect(readMetrics(csv).evaluations).toEqual(validated);
    expect(writeMetrics({ points: points(1, 3), evaluations })).not.toContain('validation');
  });

  test('ignores unknown columns', () => {
    const csv = writeMetrics({ points: points(1, 1), evaluations: [] }).replace('learning_rate', 'mood');
    expect(readMetrics(csv).points).toEqual({ ...points(1, 1), learningRate: undefined });
  });

  test('of more rows than a run can have is refused, with the first that is too many', () => {
    const most = 2 ** 19;
    const [head] = writeMetrics({ points: noPoints(), evaluations: [] }).split('\n');
    const csv = [head, ...Array.from({ length: most + 1 }, (_, i) => `${i + 1},1,1,1,1,1,1,1`)].join('\n');
    const start = processorTime();
    expect(() => readMetrics(csv)).toThrow(
      `metrics.csv: expected at most ${most} rows, found another one in line ${most + 2}: ${most + 1},1,1`,
    );
    expect(() => readMetrics(`${head}${',x'.repeat(1e6)}`)).toThrow(/expected at most 32768 columns/);
    expect(() => readMetrics(`${head}\n1${','.repeat(1e6)}`)).toThrow(/expected line 2 to have \d+ numbers/);
    expectWithin(300, start);
  });

  test('of more epochs than rows has the last ones', () => {
    const many = Array.from({ length: 2 ** 19 }, (_, i) => ({
      ...evaluations[0],
      step: i + 2001,
      epoch: i + 1,
    }));
    const [, ...lines] = writeMetrics({ points: points(1, 1000), evaluations: many })
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(2 ** 19);
    expect(lines[999]).toMatch(/^1000,0\.5,/);
    expect(lines.at(-1)).toMatch(/^526288,/);
  });

  test('without one of the columns that every file contains is refused', () => {
    const csv = writeMetrics({ points: points(1, 1), evaluations: [] }).replace('smooth_loss', 'mood');
    expect(() => readMetrics(csv)).toThrow(/contain loss, smooth_loss/);
  });
});

test('curves are thinned for screens', () => {
  expect(thinned(points(1, 2000)).learningRate).toHaveLength(1000);
  expect(noPoints().loss).toHaveLength(0);
});
