import { create } from 'zustand';
import { dataSlice, type DataSlice } from './data.ts';
import { deviceSlice, type DeviceSlice } from './device.ts';
import { inspectSlice, type InspectSlice } from './inspect.ts';
import { labSlice, type LabSlice } from './lab.ts';
import { ownModelSlice, type OwnModelSlice } from './own-model.ts';
import { padSlice, type PadSlice } from '../pad/pad-store.ts';
import { preferencesSlice, type PreferencesSlice } from './preferences.ts';
import { runSlice, type RunSlice } from './run.ts';
import { runsSlice, type RunsSlice } from '../journal/runs-store.ts';
import { settingsSlice, type SettingsSlice } from './settings.ts';
import { studySlice, type StudySlice } from './study.ts';

export type AppState = DataSlice &
  DeviceSlice &
  InspectSlice &
  LabSlice &
  OwnModelSlice &
  PadSlice &
  PreferencesSlice &
  RunSlice &
  RunsSlice &
  SettingsSlice &
  StudySlice;

/** What the page knows, less the curves: numbers that change with every step live in ../metrics, outside React. */
export const useApp = create<AppState>()((...store) => ({
  ...dataSlice(...store),
  ...deviceSlice(...store),
  ...inspectSlice(...store),
  ...labSlice(...store),
  ...ownModelSlice(...store),
  ...padSlice(...store),
  ...preferencesSlice(...store),
  ...runSlice(...store),
  ...runsSlice(...store),
  ...settingsSlice(...store),
  ...studySlice(...store),
}));
