import { PRESET_DESCRIPTIONS } from '../../../../run/preset-descriptions.ts';

/** What a preset reaches, and why its settings are as they are. */
export const PresetDescription = ({ name }: { name: string }) => PRESET_DESCRIPTIONS[name];
