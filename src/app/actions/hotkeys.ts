import { useApp } from '../state/store.ts';
import { ACTIONS } from './index.ts';

/** Things that do something with a key themselves, or take text. */
const TAKES_KEYS = 'a[href], button, input, select, textarea, summary, [contenteditable], [role="radio"]';

/** Performs the first action of a pressed key that can be done now: so that Space both trains and pauses. */
export function listenForHotkeys(): () => void {
  const pressed = (event: KeyboardEvent) => {
    const state = useApp.getState();
    if (!state.hotkeys || event.defaultPrevented || event.repeat) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : undefined;
    // A focused button keeps its Space; other keys mean nothing to it.
    if (
      target?.closest(
        event.key === ' '
          ? TAKES_KEYS
          : 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable]',
      )
    )
      return;
    const candidates = ACTIONS.filter((action) => action.key === event.key);
    if (candidates.length === 0) return;
    event.preventDefault();
    void candidates.find((action) => action.obstacle(state) === undefined)?.perform();
  };
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}
