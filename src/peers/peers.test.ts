import { expect, test } from 'vitest';
import { linesOfCode, sourceOf } from './sources.ts';

test('lines of code are those that are neither blank nor comments', async () => {
  expect(linesOfCode('/** A.\n * B. */\n\nconst a = 1; // one\n  // two\nlet b;\n')).toBe(2);
  for (const name of ['wgrad', 'tfjs', 'onnxruntime', 'jax']) {
    expect(linesOfCode(await sourceOf(name))).toBeGreaterThan(10);
  }
});
