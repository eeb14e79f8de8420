import { create } from 'zustand';
import { algorithmsSlice, type AlgorithmsSlice } from './algorithms.ts';
import { dataSlice, type DataSlice } from './data.ts';
import { deviceSlice, type DeviceSlice } from './device.ts';
import { gpuTaskSlice, type GpuTaskSlice } from './gpu-task.ts';
import { ownModelSlice, type OwnModelSlice } from './own-model.ts';
import { padSlice, type PadSlice } from '../pad/pad-store.ts';
import { preferencesSlice, type PreferencesSlice } from './preferences.ts';
import { runSlice, type RunSlice } from './run.ts';
import { runsSlice, type RunsSlice } from '../journal/runs-store.ts';
import { settingsSlice, type SettingsSlice } from './settings.ts';

export type AppState = AlgorithmsSlice &
  DataSlice &
  DeviceSlice &
  GpuTaskSlice &
  OwnModelSlice &
  PadSlice &
  PreferencesSlice &
  RunSlice &
  RunsSlice &
  SettingsSlice;

/** What the page knows, less the curves: numbers that change with every step live in ../metrics, outside React. */
export const useApp = create<AppState>()((...store) => ({
  ...algorithmsSlice(...store),
  ...dataSlice(...store),
  ...deviceSlice(...store),
  ...gpuTaskSlice(...store),
  ...ownModelSlice(...store),
  ...padSlice(...store),
  ...preferencesSlice(...store),
  ...runSlice(...store),
  ...runsSlice(...store),
  ...settingsSlice(...store),
}));
