import type { IconName } from '../widgets/Icon.tsx';

export interface ScreenName {
  /** In the address: `#/lab`. */
  name: string;
  title: string;
  icon: IconName;
  /** What else it is found by. */
  about?: string;
  /** It is not among the bar's links to screens: Help has a link of its own there, and leads to the others. */
  isApart?: true;
}

/** In the order of the links to them. The first is shown at the page's plain address. */
export const SCREEN_NAMES = [
  { name: 'train', title: 'Train', icon: 'curve' },
  { name: 'build', title: 'Build', icon: 'blocks' },
  { name: 'inspect', title: 'Inspect', icon: 'lens' },
  { name: 'lab', title: 'Lab', icon: 'flask' },
  { name: 'profile', title: 'Profile', icon: 'gauge' },
  { name: 'doctor', title: 'Doctor', icon: 'pulse' },
  { name: 'studies', title: 'Studies', icon: 'book' },
  { name: 'runs', title: 'Runs', icon: 'list' },
  { name: 'lessons', title: 'Lessons', icon: 'book', isApart: true },
  { name: 'help', title: 'Help', icon: 'help', about: 'tour, glossary, keyboard shortcuts', isApart: true },
] as const satisfies readonly ScreenName[];

/** Of one that is not here, its name. */
export const titleOfScreen = (name: string): string =>
  SCREEN_NAMES.find((one) => one.name === name)?.title ?? name;
