/** What is said of a setting; fetched when somebody asks. */
import { EVERYDAY_SETTINGS } from '../../../../run/settings/everyday.ts';
import { HINTS } from '../../../../run/settings/hints.ts';
import type { SettingKey } from '../../../../run/settings/table.ts';

/** In everyday words. */
export const Everyday = ({ name }: { name: SettingKey }) => EVERYDAY_SETTINGS[name];

export const SettingHint = ({ name, more }: { name: SettingKey; more: string }) => `${HINTS[name]}${more}`;
