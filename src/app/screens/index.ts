import type { ComponentType } from 'react';
import { fetched } from '../components/later.tsx';
import type { IconName } from '../widgets/Icon.tsx';
import { TrainScreen } from './train/TrainScreen.tsx';

export interface Screen {
  /** In the address: `#/lab`. */
  name: string;
  title: string;
  icon: IconName;
  /** What else it is found by. */
  about?: string;
  /** It is not among the bar's links to screens: Help has a link of its own there, and leads to the others. */
  isApart?: true;
  Content: ComponentType;
}

/** One that loads when it is visited. */
const screen = (name: string, title: string, icon: IconName, load: () => Promise<ComponentType>): Screen => ({
  name,
  title,
  icon,
  Content: fetched(load),
});

/** In the order of the links to them. The first is shown at the page's plain address; the others load when visited. */
export const SCREENS: readonly [Screen, ...Screen[]] = [
  { name: 'train', title: 'Train', icon: 'curve', Content: TrainScreen },
  screen('build', 'Build', 'blocks', async () => (await import('./builder/BuildScreen.tsx')).BuildScreen),
  screen(
    'inspect',
    'Inspect',
    'lens',
    async () => (await import('./inspect/InspectScreen.tsx')).InspectScreen,
  ),
  screen('lab', 'Lab', 'flask', async () => (await import('./lab/LabScreen.tsx')).LabScreen),
  screen(
    'profile',
    'Profile',
    'gauge',
    async () => (await import('./profile/ProfileScreen.tsx')).ProfileScreen,
  ),
  screen('doctor', 'Doctor', 'pulse', async () => (await import('./doctor/DoctorScreen.tsx')).DoctorScreen),
  screen(
    'studies',
    'Studies',
    'book',
    async () => (await import('./studies/StudiesScreen.tsx')).StudiesScreen,
  ),
  screen('runs', 'Runs', 'list', async () => (await import('./runs/RunsScreen.tsx')).RunsScreen),
  {
    ...screen(
      'lessons',
      'Lessons',
      'book',
      async () => (await import('./lessons/LessonsScreen.tsx')).LessonsScreen,
    ),
    isApart: true,
  },
  {
    ...screen('help', 'Help', 'help', async () => (await import('./help/HelpScreen.tsx')).HelpScreen),
    about: 'tour, glossary, keyboard shortcuts',
    isApart: true,
  },
];
