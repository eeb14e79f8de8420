import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type * as Remember from '../state/remember.ts';
import { CARD_NAMES, snippetOf } from './cards.ts';
import { Embed } from './Embed.tsx';

test('the snippet shows a card with its settings in any page', () => {
  const settings = { v: '2', data: 'shapes', lr: '0.01' };
  document.body.innerHTML = snippetOf('loss', 'https://example.org/wgrad/embed.html', settings);
  const [frame] = document.getElementsByTagName('iframe');
  expect(frame.getAttribute('src')).toBe(
    'https://example.org/wgrad/embed.html?card=loss&v=2&data=shapes&lr=0.01',
  );
  expect(frame.title).toBe('wgrad: train, and watch the loss');
  document.body.innerHTML = '';
});

test('a card that does not exist is answered by the list of those that do', () => {
  render(<Embed parameters={{ card: 'constructor' }} />);
  expect(screen.getByText(/found “constructor”/)).toBeTruthy();
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([...CARD_NAMES]);
});

test('a page that is marked as embedded keeps nothing, and recalls nothing', async () => {
  const load = async (copy: string) => (await import(/* @vite-ignore */ copy)) as typeof Remember;
  localStorage.setItem('wgrad.theme', 'dark');
  document.documentElement.dataset.embedded = '';
  const embedded = await load('../state/remember.ts?embedded');
  embedded.remember('settings', 'x');
  embedded.rememberHere('settings', 'x');
  delete document.documentElement.dataset.embedded;
  expect(embedded.recall('theme')).toBe(null);
  expect(localStorage.getItem('wgrad.settings')).toBe(null);
  expect(sessionStorage.getItem('wgrad.settings')).toBe(null);
  const page = await load('../state/remember.ts?page');
  expect(page.recall('theme')).toBe('dark');
  localStorage.clear();
});
