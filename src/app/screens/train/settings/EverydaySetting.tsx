import { EVERYDAY_SETTINGS } from '../../../../run/settings/everyday.ts';
import type { SettingKey } from '../../../../run/settings/table.ts';

/** A setting in everyday words; fetched when somebody asks. */
export const EverydaySetting = ({ name }: { name: SettingKey }) => EVERYDAY_SETTINGS[name];
