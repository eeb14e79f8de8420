import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkTypes, sourcesOf } from './check-types.mjs';

const check = (...texts) => checkTypes(new Map(texts.map((text, i) => [`src/${i}.ts`, text])));

it.each([
  ['an exported type twice', ['export interface Row {\n}', 'export type Row = string;']],
  ['a class and a type', ['export abstract class Row {\n}', 'export type Row<T> = T;']],
  ['a vague word twice', ['type Place = string;', 'interface Place {\n}']],
])('refuses %s', (_, texts) => {
  expect(check(...texts)).toHaveLength(1);
});

it.each([
  ['types that are not exported', ['type Row = string;', 'type Row = number;', 'export type Row = boolean;']],
  ['a vague word once', ['export type Place = string;']],
  ['what is exported again', ['export type Row = string;', `export type { Row } from './0.ts';`]],
  [
    'an extension of a module',
    ["declare module './0.ts' {\n  export interface Row {}\n}", 'export type Row = 1;'],
  ],
])('allows %s', (_, texts) => {
  expect(check(...texts)).toEqual([]);
});

it('reports both places', () => {
  expect(check('\nexport type Row = string;', 'export type Row = number;')).toEqual([
    { file: 'src/1.ts', line: 1, message: 'the type Row has the name of that in src/0.ts:2' },
  ]);
});

it('finds nothing in this project', () => {
  expect(checkTypes(sourcesOf(fileURLToPath(new URL('..', import.meta.url))))).toEqual([]);
});
