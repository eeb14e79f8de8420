import { create } from 'zustand';
import { algorithmsSlice, type AlgorithmsSlice } from './algorithms.ts';
import { dataSlice, type DataSlice } from './data.ts';
import { deviceSlice, type DeviceSlice } from './device.ts';
import { ownModelSlice, type OwnModelSlice } from './own-model.ts';
import { paceSlice, type PaceSlice } from './pace.ts';
import { preferencesSlice, type PreferencesSlice } from './preferences.ts';
import { NO_RUN, type RunSlice } from './run.ts';
import { settingsSlice, type SettingsSlice } from './settings.ts';

export type AppState = AlgorithmsSlice &
  DataSlice &
  DeviceSlice &
  OwnModelSlice &
  PaceSlice &
  PreferencesSlice &
  RunSlice &
  SettingsSlice;

/** What the page knows, less the curves: numbers that change with every step live in ../metrics, outside React. */
export const useApp = create<AppState>()((...store) => ({
  ...algorithmsSlice(...store),
  ...dataSlice(...store),
  ...deviceSlice(...store),
  ...ownModelSlice(...store),
  ...paceSlice(...store),
  ...preferencesSlice(...store),
  ...NO_RUN,
  ...settingsSlice(...store),
}));
