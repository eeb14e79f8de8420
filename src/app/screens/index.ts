import { lazy, type ComponentType } from 'react';
import type { IconName } from '../components/Icon.tsx';
import { TrainScreen } from './train/TrainScreen.tsx';

export interface Screen {
  /** In the address: `#/lab`. */
  name: string;
  title: string;
  icon: IconName;
  Content: ComponentType;
}

/** In the order of the links to them. The first is shown at the page's plain address; the others load when visited. */
export const SCREENS: readonly [Screen, ...Screen[]] = [
  { name: 'train', title: 'Train', icon: 'curve', Content: TrainScreen },
  {
    name: 'build',
    title: 'Build',
    icon: 'blocks',
    Content: lazy(async () => ({ default: (await import('./builder/BuildScreen.tsx')).BuildScreen })),
  },
  {
    name: 'inspect',
    title: 'Inspect',
    icon: 'lens',
    Content: lazy(async () => ({ default: (await import('./inspect/InspectScreen.tsx')).InspectScreen })),
  },
  {
    name: 'lab',
    title: 'Lab',
    icon: 'flask',
    Content: lazy(async () => ({ default: (await import('./lab/LabScreen.tsx')).LabScreen })),
  },
  {
    name: 'profile',
    title: 'Profile',
    icon: 'gauge',
    Content: lazy(async () => ({ default: (await import('./profile/ProfileScreen.tsx')).ProfileScreen })),
  },
  {
    name: 'doctor',
    title: 'Doctor',
    icon: 'pulse',
    Content: lazy(async () => ({ default: (await import('./doctor/DoctorScreen.tsx')).DoctorScreen })),
  },
  {
    name: 'runs',
    title: 'Runs',
    icon: 'list',
    Content: lazy(async () => ({ default: (await import('./runs/RunsScreen.tsx')).RunsScreen })),
  },
];
