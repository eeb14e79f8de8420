/** Measuring a step and examining a run: what Profile and Doctor share. */
import type { FailureValue } from '../base/result.ts';
import type { AdapterSummary, RunConfig } from '../worker/api.ts';
import { chosenSettings, obstacleToDevice, wrongSetting } from './actions/start.ts';
import { runIsOpen } from './state/run.ts';
import type { AppState } from './state/store.ts';

/** What was measured, when, and on what. */
export interface MeasuredRun {
  config: RunConfig;
  /** For people: "LeNet-5". */
  model: string;
  date: Date;
  adapter: AdapterSummary | undefined;
}

/** The open run's settings, else those that are chosen; undefined while they are invalid. */
export const configToMeasure = (state: AppState): RunConfig | undefined =>
  runIsOpen(state.runState) ? state.runConfig : chosenSettings(state).config;

/** For people: "LeNet-5". */
export const modelTitle = ({ models }: Pick<AppState, 'models'>, { model }: RunConfig): string =>
  typeof model === 'string' ? (models.find(({ name }) => name === model)?.title ?? model) : model.title;

export const measuredRun = (state: AppState, config: RunConfig): MeasuredRun => ({
  config,
  model: modelTitle(state, config),
  date: new Date(),
  adapter: state.adapter,
});

/**
 * Why nothing can be measured now; undefined if it can.
 * @param config what is to be measured
 */
export function obstacleToMeasuring(state: AppState, config = configToMeasure(state)): string | undefined {
  const obstacle = obstacleToDevice(state);
  if (obstacle !== undefined) return obstacle;
  return config ? undefined : `A setting on the Train screen is invalid. ${wrongSetting(state)}`;
}

/** What to show of a failure: nothing where the person stopped the task. */
export const failureToShow = (error: FailureValue): FailureValue | undefined =>
  error.code === 'cancelled' ? undefined : error;
