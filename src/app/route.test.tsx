import { render } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { setLostAddress, useLostAddress, useView } from './route.ts';

const VIEWS = [{ name: 'race' }, { name: 'map' }];
const View = () => `${useView('lab', VIEWS).name} ${useLostAddress()}`;

beforeEach(() => setLostAddress(undefined));

test.each([
  ['#/lab', 'race', undefined],
  ['#/lab/map', 'map', undefined],
  ['#/lab/nonsense', 'race', '#/lab/nonsense'],
  // Another screen's address is none of the Lab's.
  ['#/inspect/network', 'race', undefined],
])('%s shows %s', (hash, view, lost) => {
  location.hash = hash;
  expect(render(<View />).container.textContent).toBe(`${view} ${lost}`);
});
