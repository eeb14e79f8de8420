import { afterEach, expect, test, vi } from 'vitest';
import { hrefOf, note, parseRoute } from './route.ts';

afterEach(() => vi.unstubAllGlobals());

test('a plain address is the first screen', () => {
  expect(parseRoute('')).toEqual({ screen: '', view: '', parameters: {} });
  expect(parseRoute('#')).toEqual({ screen: '', view: '', parameters: {} });
});

test.each([
  ['#/train', { screen: 'train', view: '', parameters: {} }],
  ['#/lab/map', { screen: 'lab', view: 'map', parameters: {} }],
  ['#/lab/race?N=1&stride=2,1', { screen: 'lab', view: 'race', parameters: { N: '1', stride: '2,1' } }],
])('%s there and back', (href, route) => {
  expect(parseRoute(href)).toEqual(route);
  expect(hrefOf(route.screen, route.view, route.parameters)).toBe(href);
});

test('names with other signs survive', () => {
  const parameters = { algorithm: 'a b&c=d?é#' };
  expect(parseRoute(hrefOf('lab', 'race', parameters)).parameters).toEqual(parameters);
});

test.each([
  ['', '#/lab/race?N=1', true],
  ['#/lab', '#/lab/race?N=1', true],
  ['#/lab/race?N=1', '#/lab/race?N=1', false],
  ['#/train', '#/lab/race?N=1', false],
])('at %j, %j is written: %s', (hash, href, isWritten) => {
  const replaceState = vi.fn<typeof history.replaceState>();
  vi.stubGlobal('location', { hash });
  vi.stubGlobal('history', { replaceState });
  note(href);
  expect(replaceState.mock.calls).toEqual(isWritten ? [[null, '', href]] : []);
});
