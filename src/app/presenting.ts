/** Presenting: Train with larger type and with what an audience follows, as long as the address says so. */
import { TAKES_TEXT } from './actions/hotkeys.ts';
import { go, hrefOf, parseRoute, useRoute, type Route } from './route.ts';
import { useApp } from './state/store.ts';

const isPresented = ({ screen, parameters }: Route): boolean =>
  (screen === 'train' || screen === '') && parameters['present'] === '1';

export const usePresenting = (): boolean => isPresented(useRoute());

export const isPresenting = (): boolean => isPresented(parseRoute(location.hash));

/** Begins, from any screen, or ends. */
export function togglePresenting(): void {
  go(isPresenting() ? hrefOf('train') : hrefOf('train', '', { present: '1' }));
}

/** P begins and ends, Escape ends, unless something else makes use of it. Returns what stops listening. */
export function listenForPresenting(): () => void {
  const pressed = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : undefined;
    if (target?.closest('dialog')) return;
    const typed = target?.closest(TAKES_TEXT) !== null && target !== undefined;
    const begins = event.key.toLowerCase() === 'p' && useApp.getState().hotkeys && !typed;
    if (!begins && !(event.key === 'Escape' && isPresenting())) return;
    event.preventDefault();
    togglePresenting();
  };
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}
