import type { ComponentType } from 'react';
import { fetched } from '../components/later.tsx';
import { SCREEN_NAMES, type ScreenName } from './names.ts';
import { TrainScreen } from './train/TrainScreen.tsx';

export interface Screen extends ScreenName {
  Content: ComponentType;
}

/** The first is there at once; the others load when they are visited. */
const CONTENTS: Readonly<Record<(typeof SCREEN_NAMES)[number]['name'], ComponentType>> = {
  train: TrainScreen,
  build: fetched(async () => (await import('./builder/BuildScreen.tsx')).BuildScreen),
  inspect: fetched(async () => (await import('./inspect/InspectScreen.tsx')).InspectScreen),
  lab: fetched(async () => (await import('./lab/LabScreen.tsx')).LabScreen),
  profile: fetched(async () => (await import('./profile/ProfileScreen.tsx')).ProfileScreen),
  doctor: fetched(async () => (await import('./doctor/DoctorScreen.tsx')).DoctorScreen),
  studies: fetched(async () => (await import('./studies/StudiesScreen.tsx')).StudiesScreen),
  runs: fetched(async () => (await import('./runs/RunsScreen.tsx')).RunsScreen),
  lessons: fetched(async () => (await import('./lessons/LessonsScreen.tsx')).LessonsScreen),
  help: fetched(async () => (await import('./help/HelpScreen.tsx')).HelpScreen),
};

export const SCREENS: readonly Screen[] = SCREEN_NAMES.map((screen) => ({
  ...screen,
  Content: CONTENTS[screen.name],
}));
