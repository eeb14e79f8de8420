import { act, render } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { note, setLostAddress, useLostAddress, useView } from './route.ts';

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

/** Follows a link; the event comes later than the address. */
const follow = (hash: string) =>
  act(async () => {
    const moved = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = hash;
    await moved;
  });

test('a wrong address is said until another is opened, but not until the screen writes its own', async () => {
  location.hash = '#/lab/nonsense';
  const { container } = render(<View />);
  expect(container.textContent).toBe('race #/lab/nonsense');
  await follow('#/lab/another');
  expect(container.textContent).toBe('race #/lab/another');
  act(() => note('#/lab/race?N=1'));
  expect(container.textContent).toBe('race #/lab/another');
  await follow('#/lab/map');
  expect(container.textContent).toBe('map undefined');
  await follow('#/lab/nonsense');
  await follow('#/train');
  expect(container.textContent).toBe('race undefined');
});
