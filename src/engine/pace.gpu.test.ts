import { expect, test, vi } from 'vitest';
import type { Failure } from '../base/result.ts';
import { fetchShaders } from '../gpu/sources.ts';
import { paceOf, setPace } from './cost.ts';
import { FindDb } from './ops/conv/choice/db.ts';
import { readDb } from './ops/conv/choice/read-db.ts';
import { TuningResults, type TextStore } from './ops/conv/choice/tuning-results.ts';
import { measurePace } from './pace.ts';
import { testDevice } from './testing/gpu.ts';

const pace = { cores: 4, rate: 1000, bytes: 2000, dispatch: 3 };

test('a device is measured', async () => {
  const device = await testDevice();
  const measured = await measurePace(device);
  expect(measured.cores).toBe(device.onProcessor ? 1 : Math.round(measured.cores));
  for (const number of Object.values(measured)) expect(number).toBeGreaterThan(0);
  // Steps of an eighth of an octave, to three digits.
  for (const number of [measured.rate, measured.bytes, measured.dispatch]) {
    const steps = 8 * Math.log2(number);
    expect(Math.abs(steps - Math.round(steps))).toBeLessThan(0.1);
  }
});

test('it is measured once: the speed is kept, and predictions follow it', async () => {
  const device = await testDevice();
  const usual = paceOf(device);
  // A place has a fingerprint of all shaders.
  await fetchShaders();
  let text: string | undefined;
  const store: TextStore = {
    read: () => Promise.resolve(text),
    update: (change) => Promise.resolve(void (text = change(text))),
  };
  const options = { runtime: 'here', name: 'find-db', onFailure: vi.fn<(failure: Failure) => void>() };
  const first = new TuningResults(store, options);
  await Promise.all([first.load(device), first.load(device)]);
  const measured = paceOf(device);
  expect(await first.pace(device)).toEqual(measured);
  const kept = readDb('find-db', text ?? '');
  expect(kept.paceAt(first.environmentOf(device))).toEqual(measured);
  // Another process, which finds another speed there.
  const other = new FindDb();
  other.recordPace(first.environmentOf(device), pace);
  text = other.toText();
  await new TuningResults(store, options).load(device);
  expect(paceOf(device)).toEqual(pace);
  expect(options.onFailure).not.toHaveBeenCalled();
  setPace(device, usual);
});
