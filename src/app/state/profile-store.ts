/** The profile of a training step, on Profile and Build: the last one, and the one under way. */
import { create } from 'zustand';
import type { FailureValue } from '../../base/result.ts';
import type { ProfileEvent, RunConfig, ProfileReport } from '../../worker/api.ts';
import { ask } from '../client.ts';
import { onEvent } from '../events.ts';
import {
  configToMeasure,
  failureToShow,
  measuredRun,
  obstacleToMeasuring,
  type MeasuredRun,
} from '../measured-run.ts';
import { useApp } from './store.ts';

export type RunProfile = MeasuredRun & ProfileReport;

/** Profiles that are kept to compare with. */
const MOST_EARLIER = 5;

interface ProfileState {
  /** The progress of the current profile; undefined while there is none. */
  progress: Pick<ProfileEvent, 'phase' | 'share'> | undefined;
  /** `layers` has the time of each layer. */
  profile: RunProfile | undefined;
  /** The ones before it, the latest first. */
  earlier: readonly RunProfile[];
  error: FailureValue | undefined;
}

export const useProfile = create<ProfileState>()(() => ({
  progress: undefined,
  profile: undefined,
  earlier: [],
  error: undefined,
}));

onEvent('profile', ({ phase, share }) =>
  useProfile.setState(({ progress }) => (progress ? { progress: { phase, share } } : {})),
);

/** @param wanted what to measure; default the open run, or the chosen settings */
export async function profileStep(wanted?: RunConfig): Promise<void> {
  const state = useApp.getState();
  const config = wanted ?? configToMeasure(state);
  if (!config || obstacleToMeasuring(state, config) !== undefined) return;
  const run = measuredRun(state, config);
  useProfile.setState({ progress: { phase: 'compiling', share: 0 }, error: undefined });
  const answer = await ask((api) => api.profile.profileStep(config));
  useProfile.setState(({ profile, earlier }) => ({
    progress: undefined,
    ...(answer.ok
      ? {
          profile: { ...run, ...answer.value },
          earlier: profile ? [profile, ...earlier].slice(0, MOST_EARLIER) : earlier,
        }
      : { error: failureToShow(answer.error) }),
  }));
}
