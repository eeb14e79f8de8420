import { useApp } from '../state/store.ts';
import { ACTIONS } from './actions.ts';

/** Elements that take text, so every key is theirs. */
export const TAKES_TEXT =
  'input:not([type="radio"], [type="checkbox"], [type="range"]), select, textarea, [contenteditable]';

/** Elements that Space works on; a disabled button leaves Space to the page. */
const TAKES_SPACE = `${TAKES_TEXT}, input, summary, a[href], button:not([aria-disabled])`;

/**
 * Performs the first available action of a pressed key, so that Space both trains and pauses.
 *
 * @returns stops listening
 */
export function listenForHotkeys(): () => void {
  let taken: string | undefined;
  const pressed = (event: KeyboardEvent) => {
    taken = undefined;
    const state = useApp.getState();
    if (!state.hotkeys || event.defaultPrevented || event.repeat) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : undefined;
    if (target?.closest(event.key === ' ' ? TAKES_SPACE : TAKES_TEXT)) return;
    const candidates = ACTIONS.filter((action) => action.key === event.key);
    if (candidates.length === 0) return;
    event.preventDefault();
    taken = event.key;
    void candidates.find((action) => action.obstacle(state) === undefined)?.perform();
  };
  // Firefox clicks a focused button when Space is released, even if its keydown was handled.
  const released = (event: KeyboardEvent) => {
    if (event.key === taken) event.preventDefault();
    taken = undefined;
  };
  addEventListener('keydown', pressed);
  addEventListener('keyup', released);
  return () => {
    removeEventListener('keydown', pressed);
    removeEventListener('keyup', released);
  };
}
