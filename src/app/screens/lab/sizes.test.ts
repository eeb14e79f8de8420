import { describe, expect, test } from 'vitest';
import { hrefOf, parseRoute } from '../../route.ts';
import {
  checkSizes,
  describe as words,
  parametersOf,
  raceError,
  raceFrom,
  readSizes,
  sameSizes,
  workspaceOf,
  type RaceText,
} from './sizes.ts';
import { textOf } from '../../share/conv-sizes.ts';
import { problem } from './testing.ts';

const text = textOf(problem);

describe('sizes as text', () => {
  test('round trip', () => {
    expect(readSizes(text)).toMatchObject({ sizes: { N: 1, C: 4, stride: [1, 1], padding: [1, 1] } });
    const unequal = { ...problem, stride: [2, 1] as const };
    expect(textOf(unequal).stride).toBe('2x1');
    const read = readSizes(textOf(unequal));
    expect('sizes' in read && sameSizes(read.sizes, unequal)).toBe(true);
    expect('sizes' in read && sameSizes(read.sizes, problem)).toBe(false);
  });

  test.each([
    ['N', ''],
    ['N', '-1'],
    ['C', '1.5'],
    ['groups', 'two'],
    ['stride', '1x2x3'],
    ['padding', '1x'],
    ['padding', '1,2,3'],
    ['padding', 'full'],
    ['layout', 'chwn'],
  ] as const)('%s "%s" is invalid', (name, value) => {
    const read = readSizes({ ...text, [name]: value });
    expect('errors' in read && Object.keys(read.errors)).toEqual([name]);
  });

  test('pairs have any of three separators', () => {
    for (const stride of ['2x3', '2×3', '2,3', ' 2 x 3 ']) {
      expect(readSizes({ ...text, stride })).toMatchObject({ sizes: { stride: [2, 3] } });
    }
  });

  test('padding may be a word, or differ on each side', () => {
    for (const padding of ['same', 'valid', '0,1,0,1']) {
      const read = readSizes({ ...text, padding });
      expect('sizes' in read && textOf(read.sizes).padding).toBe(padding);
    }
  });

  test('as sentences', () => {
    expect(words(problem)).toBe('N 1, C 4, 8 × 8, 4 filters of 3 × 3, padding 1');
    expect(words({ ...problem, K: 1, padding: [0, 0], stride: [2, 1], groups: 2 })).toBe(
      'N 1, C 4, 8 × 8, 1 filter of 3 × 3, stride 2 × 1, 2 groups',
    );
    expect(words({ ...problem, padding: { top: 0, bottom: 1, left: 0, right: 2 } })).toContain(
      'padding 0, 1, 0, 2',
    );
    expect(words({ ...problem, padding: 'same' })).toContain('padding same');
    expect(words({ ...problem, layout: 'nhwc' })).toMatch(/, NHWC$/);
  });
});

describe('links', () => {
  const race: RaceText = {
    sizes: text,
    direction: 'wgrad',
    numbers: 'both',
    workspace: '16',
    threads: '37',
    workgroups: '',
    algorithms: ['direct', 'fft'],
    cpu: 'no',
  };

  test('reopen the same race', () => {
    const href = hrefOf('lab', 'race', parametersOf(race));
    expect(href).toBe(
      '#/lab/race?N=1&C=4&H=8&W=8&K=4&R=3&S=3&padding=1&direction=wgrad&numbers=both&workspace=16&threads=37&algorithms=direct,fft&cpu=no',
    );
    expect(raceFrom(parseRoute(href).parameters)).toEqual(race);
  });

  test('have the layout unless it is NCHW', () => {
    const other: RaceText = { ...race, sizes: { ...text, layout: 'nhwc' } };
    expect(parametersOf(other)).toMatchObject({ layout: 'nhwc' });
    expect(raceFrom(parametersOf(other))).toEqual(other);
    expect(parametersOf(race)).not.toHaveProperty('layout');
  });

  test('omit defaults', () => {
    const plain: RaceText = {
      ...race,
      direction: 'fprop',
      numbers: 'f32',
      workspace: '64',
      threads: '',
      algorithms: [],
      cpu: '',
    };
    expect(Object.keys(parametersOf(plain))).toEqual(['N', 'C', 'H', 'W', 'K', 'R', 'S', 'padding']);
    expect(raceFrom(parametersOf(plain))).toEqual(plain);
    const usual = { ...plain, workspace: '' };
    expect(parametersOf(usual)).toMatchObject({ workspace: 'auto' });
    expect(raceFrom(parametersOf(usual))).toEqual(usual);
  });

  test('without sizes have no race; invalid sizes are passed on, other invalid values are not', () => {
    expect(raceFrom({})).toBeUndefined();
    expect(raceFrom({ N: 'x', direction: 'sideways', numbers: 'f64', cpu: 'perhaps' })).toMatchObject({
      sizes: { N: 'x', C: '1', stride: '1' },
      direction: 'fprop',
      numbers: 'f32',
      cpu: '',
    });
  });
});

describe('a race from typed text', () => {
  const race: RaceText = {
    sizes: text,
    direction: 'fprop',
    numbers: 'f32',
    workspace: '64',
    threads: '',
    workgroups: '',
    algorithms: [],
    cpu: '',
  };
  const valid = checkSizes(text, { ok: true, value: { problem, key: 'key', flops: 1 } });

  test('sizes are invalid by themselves, or because the worker refuses them', () => {
    expect(valid.state).toBe('valid');
    expect(checkSizes(text, undefined).state).toBe('checking');
    expect(checkSizes({ ...text, K: 'x', S: '' }, undefined)).toEqual({
      state: 'invalid',
      error: { code: 'bad-input', message: 'K (filters): Enter a whole number.' },
      fields: new Set(['K', 'S']),
    });
    const error = { code: 'bad-input', message: '3 filters do not divide into 2 groups' } as const;
    expect(checkSizes(text, { ok: false, error })).toMatchObject({ state: 'invalid', error });
  });

  test.each([
    ['64', 64 * 2 ** 20],
    ['0', 0],
    ['0.5', 2 ** 19],
    ['4096', 2 ** 32],
    ['4097', undefined],
    ['-1', undefined],
    ['', 64 * 2 ** 20],
    ['much', undefined],
  ])('a workspace of "%s" MiB is %s bytes', (workspace, bytes) => {
    expect(workspaceOf({ workspace })).toBe(bytes);
    expect(raceError({ ...race, workspace }, valid)).toBe(
      bytes === undefined ? 'Workspace must be a number from 0 to 4096.' : undefined,
    );
  });

  test.each([
    [{ threads: '37', workgroups: '32' }, undefined],
    [{ threads: '0' }, 'Workgroup size must be a whole number from 1 to 1024.'],
    [{ threads: '64.5' }, 'Workgroup size must be a whole number from 1 to 1024.'],
    [{ workgroups: 'many' }, 'Workgroups must be a whole number from 1 to 65535.'],
  ])('the size of a launch: %o', (size, error) => {
    expect(raceError({ ...race, ...size }, valid)).toBe(error);
  });

  test('invalid sizes come first', () => {
    const invalid = checkSizes({ ...text, N: '' }, undefined);
    expect(raceError({ ...race, workspace: '' }, invalid)).toBe('Invalid sizes. See above.');
  });
});
