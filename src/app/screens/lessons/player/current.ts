/** Which lesson is under way. The page asks at every visit, so this is all that it loads before there is one. */
import { create } from 'zustand';
import { recall, remember } from '../../../state/remember.ts';

const KEY = 'lesson';

/** The address of its page: "learning-rate", or "sent?lesson=..."; undefined if there is none. */
export const useCurrentLesson = create<{ address: string | undefined }>()(() => ({
  address: recall(KEY) || undefined,
}));

export function setCurrentLesson(address: string | undefined): void {
  remember(KEY, address ?? '');
  useCurrentLesson.setState({ address });
}
