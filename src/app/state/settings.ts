import type { AugmentationName } from '../../base/augmentation.ts';
import type { OptimizerName } from '../../worker/api.ts';
import type { Precision } from './precision.ts';
import type { Slice } from './slice.ts';

/** The settings as typed: numbers stay text until they are read, so that a half-typed "0." is left alone. */
export interface Settings {
  model: string;
  dataset: string;
  batchSize: string;
  optimizer: OptimizerName;
  lr: string;
  momentum: string;
  nesterov: boolean;
  weightDecay: string;
  /** How images are varied, where it is not as the data set says: "0" is not at all. */
  augmentation: Partial<Record<AugmentationName, string>>;
  seed: string;
  /** Empty: the run goes on until it is stopped. */
  epochs: string;
  /** A schedule's name. */
  schedule: string;
  /** Epochs; empty for none. */
  warmup: string;
  labelSmoothing: string;
  /** Empty for none, as with the averages. */
  clipNorm: string;
  ema: string;
  precision: Precision;
  /** In percent; empty for none. */
  stopAccuracy: string;
  /** Epochs; empty for none. */
  patience: string;
}

export const DEFAULT_SETTINGS: Settings = {
  model: 'lenet5',
  dataset: 'digits',
  batchSize: '64',
  optimizer: 'adam',
  lr: '0.001',
  momentum: '0.9',
  nesterov: false,
  weightDecay: '0',
  augmentation: {},
  seed: '1',
  epochs: '',
  schedule: 'constant',
  warmup: '',
  labelSmoothing: '0',
  clipNorm: '',
  ema: '',
  precision: 'float32',
  stopAccuracy: '',
  patience: '',
};

export interface SettingsSlice {
  settings: Settings;
  change(settings: Partial<Settings>): void;
}

export const settingsSlice: Slice<SettingsSlice> = (set) => ({
  settings: DEFAULT_SETTINGS,
  change: (settings) => set((state) => ({ settings: { ...state.settings, ...settings } })),
});
