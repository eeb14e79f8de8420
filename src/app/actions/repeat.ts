/** Repeating a run with its changes of settings, which the form follows. */
import { uniqueId } from '../../base/unique-id.ts';
import { settingsAt } from '../../run/settings/adjustments.ts';
import { completed } from '../../run/settings/rules.ts';
import type { LiveSettings } from '../../run/settings/table.ts';
import type { RunAdjustment } from '../../worker/api.ts';
import { live } from '../metrics/live.ts';
import { formOf, type Settings } from '../state/settings.ts';
import { useApp } from '../state/store.ts';
import { begin } from './start.ts';

/** Starts again at step 0 with the settings that the run began with, and changes them at the same steps. */
export async function repeatRun(): Promise<void> {
  const { runConfig, change } = useApp.getState();
  const { changes } = live;
  if (!runConfig || !changes) return;
  change(formOfLive(changes.start));
  const config = { ...runConfig, ...changes.start, record: uniqueId() };
  await begin((api) => api.train.restart(config, changes.adjustments), config);
}

/** Brings a change of the run that nobody made in the form into it. */
export function followChange({ step: _made, ...changes }: RunAdjustment): void {
  const { runConfig, change } = useApp.getState();
  if (!runConfig) return;
  const now = settingsAt(runConfig, [{ step: 0, ...changes }]);
  useApp.setState({ runConfig: now });
  const keys = Object.keys(changes) as (keyof LiveSettings)[];
  change(formOfLive(Object.fromEntries(keys.map((key) => [key, now[key]]))));
}

/** What the form shows of these settings. */
function formOfLive(changed: Partial<LiveSettings>): Partial<Settings> {
  const form = formOf({ ...completed(changed), model: '', dataset: '' });
  return Object.fromEntries(Object.keys(changed).map((key) => [key, form[key as keyof LiveSettings]]));
}
