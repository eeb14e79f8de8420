/** The settings in the browser's storage: a reloaded tab finds its own, a new tab the last ones that were chosen. */
import { AUGMENTATIONS } from '../../base/augmentation.ts';
import { recall, recallHere, remember, rememberHere } from './remember.ts';
import type { Settings } from './settings.ts';

const KEY = 'settings';
/** Those of the last link that was taken, as it set them. */
const LINKED = 'linked';

export function saveSettings(settings: Settings): void {
  const text = JSON.stringify(settings);
  rememberHere(KEY, text);
  remember(KEY, text);
}

/** The saved settings; `defaults` where there are none, and for those that earlier versions did not have. */
export function savedSettings(defaults: Settings): Settings {
  const { augmentation, ...texts } = parsed(recallHere(KEY) ?? recall(KEY));
  const known = Object.entries(texts).filter(([key, text]) => key in defaults && typeof text === 'string');
  const given = Object.entries((augmentation ?? {}) as Record<string, unknown>).filter(
    ([key, text]) => AUGMENTATIONS.some(({ name }) => name === key) && typeof text === 'string',
  );
  return { ...defaults, ...Object.fromEntries(known), augmentation: Object.fromEntries(given) };
}

export const noteLinked = (settings: Settings): void => remember(LINKED, JSON.stringify(settings));

/** The settings of the last link; empty if none was taken. */
export const linkedSettings = (): Partial<Record<keyof Settings, unknown>> => parsed(recall(LINKED));

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
