import { expect, test } from 'vitest';
import { parseRoute } from '../../route.ts';
import { compressed } from '../../share/compress.ts';
import { challengeLink, challengeText, editsOf } from './challenge.ts';
import { raceFrom, type RaceText } from './sizes.ts';
import { measured, request, timed } from './testing.ts';
import { comparisonsOf, type TimedVariant } from './verdict.ts';

const edits = { 'conv/direct/fprop': '// mine\nfn main() {}\n' };

test('a link carries the race and the edited WGSL', async () => {
  const race = raceFrom({ N: '16', C: '3' }) as RaceText;
  const link = await challengeLink(race, edits);
  const { view, parameters } = parseRoute(link);
  expect(view).toBe('race');
  expect(parameters.N).toBe('16');
  expect(await editsOf(parameters.wgsl)).toEqual(edits);
});

test.each(['', 'nonsense', await compressed('{"../x": ""}'), await compressed('{"a": 1}')])(
  'a damaged one has none: %j',
  async (code) => expect(await editsOf(code)).toBeUndefined(),
);

test('the result in words: difference, interval, errors, problem, adapter', () => {
  const yours: TimedVariant = { ...timed('direct', 1.5), interval: [1.46, 1.54], yours: true, error: 3e-7 };
  const one = measured([timed('direct', 2), yours]);
  const [comparison] = comparisonsOf(one);
  const text = challengeText({ request }, comparison, {
    adapter: { description: 'A GPU' } as never,
    browser: 'A browser',
    date: new Date('2026-11-22'),
    link: 'https://example.org/#/lab',
  });
  expect(text.split('\n')).toEqual([
    'My direct takes 25 % less time than the original: 1.50 ms instead of 2.00 ms (−29 % to −21 %).',
    'Mine: 1.50 ms (1.46 ms to 1.54 ms), relative error 3.0e-7 against float64.',
    'direct, “plain”: 2.00 ms (1.94 ms to 2.06 ms), relative error 1.0e-7.',
    expect.stringMatching(
      /^fprop of N 1, C 4, 8 × 8, .*, float32\. Medians with 95 % confidence intervals\.$/,
    ),
    'A GPU; A browser; 2026-11-22.',
    'Beat this kernel: https://example.org/#/lab',
  ]);
});
