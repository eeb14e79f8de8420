import type { IconName } from '../components/Icon.tsx';
import type { AppState } from '../state/store.ts';

/** Something that a person can do: buttons and keys both read it from here. */
export interface Action {
  /** What its button says. */
  name: string;
  /** What it does, in a sentence. */
  title: string;
  icon: IconName;
  /** Its key, as KeyboardEvent.key has it. */
  key?: string;
  /** Why it cannot be done now, for people; undefined if it can. */
  obstacle(state: AppState): string | undefined;
  perform(): Promise<void>;
}
