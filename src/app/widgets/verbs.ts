/** What a person can do, as data, and the buttons that do it now. */
import { useEffect, type RefObject } from 'react';
import type { IconName } from './Icon.tsx';

/** Its button and the command palette read it from here. */
export interface Verb {
  name: string;
  /** What it does, in a sentence, in the imperative. */
  title: string;
  icon: IconName;
  /** The address where its button is. */
  at?: string;
}

/** A verb whose words are read when it is shown: those of another language come after the page's own. */
export const worded = <T extends Verb = Verb>(
  words: () => Pick<Verb, 'name' | 'title'>,
  verb: Omit<T, 'name' | 'title'>,
): T =>
  Object.defineProperties(verb, {
    name: { get: () => words().name, enumerable: true },
    title: { get: () => words().title, enumerable: true },
  }) as T;

/** A button on the page that the command palette offers. */
export interface VerbButton {
  /** Absent where it makes sense only beside what is shown now. */
  verb: Verb | undefined;
  icon: IconName | undefined;
  title: string | undefined;
  /** Why it is disabled now. */
  obstacle: string | undefined;
  press(): void;
}

/** The buttons of the screen that is shown, by their elements. */
export const shownVerbs = new Map<HTMLElement, VerbButton>();

/** How long a button that was asked for may take to appear and to become enabled. */
const WAIT_MS = 5000;

let awaited: { verb: Verb; timer: ReturnType<typeof setTimeout> } | undefined;

/** Presses a verb's button as soon as it is shown and enabled. One that stays disabled is focused. */
export function pressWhenShown(verb: Verb): void {
  clearTimeout(awaited?.timer);
  const timer = setTimeout(() => {
    awaited = undefined;
    for (const [element, button] of shownVerbs) if (button.verb === verb) element.focus();
  }, WAIT_MS);
  awaited = { verb, timer };
}

/** Offers a button to the command palette for as long as it is shown; undefined offers none. */
export function useShownVerb(ref: RefObject<HTMLElement | null>, button: VerbButton | undefined): void {
  useEffect(() => {
    const element = ref.current;
    if (!button || !element) return undefined;
    shownVerbs.set(element, button);
    const { verb, obstacle, press } = button;
    if (verb && awaited?.verb === verb && obstacle === undefined) {
      clearTimeout(awaited.timer);
      awaited = undefined;
      press();
    }
    return () => void shownVerbs.delete(element);
  });
}
