import { expect, test } from 'vitest';
import { parsePlainJson } from './plain-json.ts';

test('nested up to 64 levels is read; brackets in texts do not count', () => {
  const deep = (levels: number) =>
    `${'[{"a":'.repeat(levels / 2)}"${'['.repeat(100)}\\"{\\\\"${'}]'.repeat(levels / 2)}`;
  expect(parsePlainJson(deep(64))).toEqual(JSON.parse(deep(64)));
  const wide = `[${'[[]],'.repeat(1000)}1]`;
  expect(parsePlainJson(wide)).toEqual(JSON.parse(wide));
  expect(() => parsePlainJson(deep(66))).toThrow(/^more than 64 levels at position \d+$/);
  expect(() => parsePlainJson('['.repeat(1e6))).toThrow(SyntaxError);
  expect(() => parsePlainJson('{"a":')).toThrow(SyntaxError);
});
