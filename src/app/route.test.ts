import { expect, test } from 'vitest';
import { hrefOf, parseRoute } from './route.ts';

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
