import type { PresetEntry } from '../../../../worker/api.ts';
import { Labelled } from '../../../components/Labelled.tsx';
import { settingsOf } from '../../../kept.ts';
import type { Settings } from '../../../state/settings.ts';
import { useApp } from '../../../state/store.ts';

/** Model, data and settings at once, which are known to do something. */
export function Recipe() {
  const presets = useApp((state) => state.presets);
  const settings = useApp((state) => state.settings);
  const change = useApp((state) => state.change);
  const software = useApp((state) => state.adapter?.software === true);
  const chosen = presets.find((preset) => isSet(preset, settings));
  return (
    <Labelled
      label="Recipe"
      hint={chosen?.description ?? 'Model, data and settings that are known to work, to begin from.'}
      stacked
    >
      {(described) => (
        <select
          {...described}
          value={chosen?.name ?? ''}
          onChange={(event) => {
            const preset = presets.find(({ name }) => name === event.target.value);
            if (preset) change(settingsOf(preset.config));
          }}
        >
          <option value="" disabled>
            Settings of your own
          </option>
          {presets.map(({ name, title, light }) => (
            <option key={name} value={name}>
              {title}
              {software && !light ? ' (slow here)' : ''}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

const isSet = ({ config }: PresetEntry, settings: Settings): boolean => {
  const wanted = settingsOf(config);
  return (Object.keys(wanted) as (keyof Settings)[]).every(
    (key) => JSON.stringify(wanted[key]) === JSON.stringify(settings[key]),
  );
};
