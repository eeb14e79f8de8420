import { expect, test } from 'vitest';
import { studies } from './index.ts';
import { milliseconds, printed } from './published.ts';

/** Read from the sources once more, apart from the studies. Not all of them: of repeated runs and checks only what is compared. */
const SOURCES: Readonly<Record<string, string>> = {
  forward: `
    0.8236; 5.11 s; 4.30 s
    2.446374 s; 7.487101 s; 9.933475 s; 11.54 s; 0.8397
    0.247094 s; 0.747553 s; 1.98 s; 0.852
    0.032041 s; 0.073482 s; 1.05 s; 0.84
    9.143 ms; 24.142 ms; 33.285 ms; 4.25 s
    6.533 ms; 39.588 ms; 46.121 ms
    6.239 ms; 36.158 ms; 42.397 ms
    4.463 ms; 10.436 ms; 14.899 ms
    875 us; 2.45312 ms; 70 %
    38.97 %; 20.81 %; 12.2 %; 7.21 %; 5.76 %; 5.74 %; 90.69 %
    41.7 %; 34.01 %; 21.27 %; 96.98 %
    42.75 %; 27.12 %; 11.44 %; 5.82 %; 5.63 %; 91.76 %
    42.36 %; 34.40 %; 20.81 %; 97.56 %`,
  choosing: '32',
  'cudnn-algorithms': `
    9.68 times; 11.8 times; 1.6 times; 7.96 times; 12X
    less than 1e-7; 5.94e-5; 1.36e-5
    32 blocks; 64 blocks; 128 threads; 256 threads`,
  frameworks: '',
  // Its exercise of sizes. The answers are not printed.
  lecture: '28; 5; 2; 1; 2',
};

const listed = (text: string): string[] =>
  text
    .split(/[;\n]/)
    .map((one) => one.trim())
    .filter(Boolean);

test.each(studies.all())('$name has the figures of its source, digit for digit', ({ name, published }) => {
  expect(published.map(printed).sort()).toEqual(listed(SOURCES[name]).sort());
  expect(new Set(published.map(({ what }) => what)).size).toBe(published.length);
});

test('times in milliseconds', () => {
  const time = (value: string, unit: string) => milliseconds({ what: 'a kernel', value, unit });
  expect([time('2.446374', 's'), time('9.143', 'ms'), time('875', 'us')]).toEqual([2446.374, 9.143, 0.875]);
  expect(() => time('38.97', '%')).toThrow('"a kernel" is in %');
});
