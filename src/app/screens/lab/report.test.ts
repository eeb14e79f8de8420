import { describe, expect, test } from 'vitest';
import { fileName } from '../../download.ts';
import { newBatch, type Measurement } from './batch.ts';
import type { MeasuredBatch } from './lab-store.ts';
import { csvReport, jsonReport } from './report.ts';
import { measured, problem, timed, wrong } from './testing.ts';

const date = new Date('2026-03-01T12:30:05Z');
const absent = [{ algorithm: 'gemm_1x1', reason: 'it is for filters of 1x1, "really"' }];
const one = measured([timed('direct', 2), timed('fft', 0.5), wrong('implicit_gemm')], [], absent);
const batch: MeasuredBatch = {
  ...newBatch(1, []),
  state: 'done',
  measurements: [one],
  date,
  edited: ['conv/implicit_gemm/fprop'],
  adapter: {
    vendor: 'acme',
    driver: '',
    architecture: 'x',
    description: 'Acme X',
    software: false,
    cpu: false,
    featureLevel: 'core',
    features: ['shader-f16'],
    limits: {},
    timestamps: true,
    workspace: 64 * 2 ** 20,
    generation: 1,
  },
};
const context = { title: 'A race', link: 'https://example.org/#/lab', browser: 'Browser 1' };

describe('JSON', () => {
  const report = JSON.parse(jsonReport(batch, context));

  test('has place, date and method', () => {
    expect(report).toMatchObject({
      title: 'A race',
      date: '2026-03-01T12:30:05.000Z',
      browser: 'Browser 1',
      complete: true,
      adapter: { description: 'Acme X', features: ['shader-f16'] },
      editedShaders: ['conv/implicit_gemm/fprop'],
    });
    expect(report.method.join(' ')).toContain('float64');
  });

  test('has every variant and every reason', () => {
    const [result] = report.results;
    expect(result).toMatchObject({ direction: 'fprop', flops: 2e6, best: { algorithm: 'fft' }, absent });
    expect(result.tried).toHaveLength(3);
  });
});

describe('CSV', () => {
  const [head, ...rows] = csvReport(batch, context).trimEnd().split('\r\n');
  const columns = head.split(',');
  const value = (row: string, column: string) => row.split(',')[columns.indexOf(column)];

  test('has one row per variant and per unavailable algorithm', () => {
    expect(rows.map((row) => `${value(row, 'algorithm')} ${value(row, 'outcome')}`)).toEqual([
      'direct timed',
      'fft timed',
      'implicit_gemm wrong',
      'gemm_1x1 absent',
    ]);
    expect(value(rows[1], 'place')).toBe('first');
    expect(Number(value(rows[1], 'tflops'))).toBeCloseTo(2e6 / 0.5e-3 / 1e12);
    expect(value(rows[0], 'adapter')).toBe('Acme X');
    expect(value(rows[0], 'padding')).toBe('1x1');
  });

  test('quotes cells that need it', () => {
    expect(rows[3]).toContain('"it is for filters of 1x1, ""really"""');
  });
});

describe('a race with the CPU', () => {
  const engine = 'CPU (WebAssembly, 2 threads)';
  const withCpu = (cpu: Measurement['cpu']) => ({
    ...batch,
    measurements: [
      { ...one, problem: one.problem && { ...one.problem, problem: { ...problem, N: 4 }, flops: 8e6 }, cpu },
    ],
  });
  const cpuRow = (cpu: Measurement['cpu']) => csvReport(withCpu(cpu), context).split('\r\n').at(-3) ?? '';

  test('has its result for the images that were measured', () => {
    const cpu = { engine, images: 1, tried: timed('direct', 2, 'rows') };
    const { results } = JSON.parse(jsonReport(withCpu(cpu), context));
    expect(results[0].cpu).toEqual(cpu);
    const row = cpuRow(cpu);
    expect(row).toContain(`"${engine}"`);
    expect(row).toMatch(/,1,4,8,8,4,3,3,8,8,.*,direct,rows,timed,,2,/);
    expect(row).toContain(',0.001,');
  });

  test('has the reason if there is none', () => {
    expect(cpuRow({ reason: 'no WebAssembly' })).toMatch(/,cpu,,absent,.*,no WebAssembly,/);
  });
});

test('file names are valid on any system', () => {
  expect(fileName('race', date)).toBe('wgrad-race-2026-03-01T12-30-05');
});
