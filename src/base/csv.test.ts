import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test('cells are quoted where that is needed, and empty where there is no value', () => {
  const columns = [
    ['name', ({ name }: { name: string; n?: number }) => name],
    ['n', ({ n }: { n?: number }) => n],
  ] as const;
  const rows = [{ name: 'a, "b"', n: 1.5 }, { name: 'c\nd' }, { name: '' }];
  expect(csvOf(columns, rows)).toBe('name,n\r\n"a, ""b""",1.5\r\n"c\nd",\r\n,\r\n');
});
