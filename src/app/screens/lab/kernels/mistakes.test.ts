import { expect, test } from 'vitest';
import { fail } from '../../../../base/result.ts';
import { mistakesOf } from './mistakes.ts';

const failed = (message: string) => ({ text: '', answer: fail<never>({ code: 'shader', message }) });

test('the compiler’s places, the line of a loop that does not end, or none', () => {
  expect(mistakesOf(failed('shaders/yours.wgsl:3:7: unknown name "z"\n    let x = z;'))).toEqual([
    { file: 'yours', line: 3, column: 7, message: 'unknown name "z"' },
  ]);
  expect(mistakesOf(failed('a loop that does not end, line 12: while (true) {'))).toEqual([
    { file: '', line: 12, column: 0, message: 'a loop that does not end' },
  ]);
  expect(mistakesOf(failed('a race in the memory of a workgroup, line 4: t[0] = 1;'))).toMatchObject([
    { line: 4, message: 'a race in the memory of a workgroup' },
  ]);
  expect(mistakesOf(failed('expected a line "const M = 1u;", found none'))).toEqual([]);
  expect(mistakesOf(undefined)).toEqual([]);
});
