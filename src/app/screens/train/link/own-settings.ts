/** Whether a link would replace what somebody chose here. */
import type { ModelFile } from '../../../../worker/api.ts';
import { recall, remember } from '../../../state/remember.ts';
import { DEFAULT_SETTINGS, START_SETTINGS, type Settings } from '../../../state/settings.ts';
import type { AppState } from '../../../state/store.ts';

/** The settings of the last link that was taken, as it set them. */
const LINKED = 'linked';

export const noteLinked = (settings: Settings): void => remember(LINKED, JSON.stringify(settings));

/** True for settings other than the defaults and those of the last link, and for a model that was built. */
export function hasOwnSettings({ settings, ownModel }: AppState, model: ModelFile | undefined): boolean {
  // Texts of the same keys in any order.
  const textOf = (given: object): string => JSON.stringify(Object.entries(given).sort());
  const known = [DEFAULT_SETTINGS, START_SETTINGS, linkedSettings()].map(textOf);
  return !known.includes(textOf(settings)) || Boolean(model && ownModel);
}

/** Empty if none were taken, or what was kept is damaged. */
function linkedSettings(): object {
  try {
    return (JSON.parse(recall(LINKED) ?? '{}') ?? {}) as object;
  } catch {
    return {};
  }
}
