import { useEffect, useMemo, useSyncExternalStore } from 'react';

/** Where the page is: `#/lab/race?N=1` is the view "race" of the screen "lab", with its parameters. */
export interface Route {
  /** Empty at the page's plain address. */
  screen: string;
  view: string;
  parameters: Readonly<Record<string, string>>;
}

export function parseRoute(hash: string): Route {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [screen = '', view = ''] = path.split('/');
  return { screen, view, parameters: Object.fromEntries(new URLSearchParams(query)) };
}

export function hrefOf(screen: string, view = '', parameters: Readonly<Record<string, string>> = {}): string {
  // Commas and slashes stay readable; the rest is encoded.
  const query = new URLSearchParams(parameters).toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
  return `#/${screen}${view && `/${view}`}${query && `?${query}`}`;
}

/** Goes there, as a link would. */
export function go(href: string): void {
  location.hash = href;
}

const listeners = new Set<() => void>();

function notify(): void {
  for (const changed of listeners) changed();
}

/** A link was followed, or another address opened. What a screen writes itself (`note`) is no such event. */
function moved(): void {
  if (lostAddress !== location.hash) lostAddress = undefined;
  notify();
}

function listen(changed: () => void): () => void {
  listeners.add(changed);
  addEventListener('hashchange', moved);
  return () => {
    listeners.delete(changed);
    if (listeners.size === 0) removeEventListener('hashchange', moved);
  };
}

/**
 * Writes what a screen shows now into the address, so that it can be copied; the history stays as it is. Not if a link to
 * another screen has been followed meanwhile: its event comes later than its address.
 */
export function note(href: string): void {
  const [at, noted] = [location.hash, href].map((hash) => parseRoute(hash).screen);
  if (location.hash === href || (at !== noted && at !== '')) return;
  history.replaceState(null, '', href);
  notify();
}

/** The part of the address after the page's own, with its "#". */
export const useHash = (): string => useSyncExternalStore(listen, () => location.hash);

export function useRoute(): Route {
  const hash = useHash();
  return useMemo(() => parseRoute(hash), [hash]);
}

/** The view of a screen in the address; the first one if it names none of them. */
export function useView<V extends { name: string }>(screen: string, views: readonly V[]): V {
  const { screen: shown, view } = useRoute();
  const found = views.find(({ name }) => shown === screen && name === view);
  useLost(shown === screen && view !== '' && found === undefined);
  return found ?? views[0];
}

/** An address that leads nowhere, and was opened last. */
let lostAddress: string | undefined;

export const useLostAddress = (): string | undefined => useSyncExternalStore(listen, () => lostAddress);

/** Sets it, or undefined once the person has read so. */
export function setLostAddress(hash: string | undefined): void {
  lostAddress = hash;
  notify();
}

/** Says that the address leads nowhere, if that is so. */
export function useLost(isLost: boolean): void {
  const hash = useHash();
  useEffect(() => {
    if (isLost) setLostAddress(hash);
  }, [isLost, hash]);
}
