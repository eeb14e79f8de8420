import { presetsInOrder } from '../../../../run/presets.ts';
import { settingOf, shortOf, type Group, type OptimizerName } from '../../../../run/settings/table.ts';
import { chosenDataset } from '../../../actions/start.ts';
import { Labelled } from '../../../components/Labelled.tsx';
import { Panel } from '../../../components/Panel.tsx';
import { obstacleToMixed } from '../../../state/precision.ts';
import { readSettings, type SettingsErrors } from '../../../state/read-settings.ts';
import { runIsOpen } from '../../../state/run.ts';
import { appliesTo, defaultTexts, formOfPreset, TEXT_KEYS, type Settings } from '../../../state/settings.ts';
import { isSlow } from '../../../state/device.ts';
import { useApp } from '../../../state/store.ts';
import { AugmentationFields, Fold, SettingField } from './fields.tsx';
import { Memory } from './Memory.tsx';

const ADVANCED: readonly Group[] = ['schedule', 'more', 'data', 'memory'];

/** The form of a run's settings. Changes while a run is open act at once where they can; see ../changes. */
export function SettingsPanel() {
  const settings = useApp((state) => state.settings);
  const open = useApp((state) => runIsOpen(state.runState));
  const dataset = useApp(chosenDataset);
  const { errors } = readSettings(settings, dataset);
  const fields = (...groups: readonly Group[]) => (
    <Fields groups={groups} settings={settings} errors={errors} />
  );
  return (
    <Panel
      title="Settings"
      folding
      explanation={
        open
          ? 'Marked settings apply immediately; the others take effect on restart.'
          : 'Optimiser and training hyperparameters.'
      }
    >
      <fieldset className="stack">
        <legend className="unseen">Settings</legend>
        <PresetField />
        {fields('batch')}
        <Memory />
        {fields('optimizer')}
        <AugmentationFields errors={errors} />
        {fields('length')}
        <Advanced settings={settings} errors={errors} />
        {fields('seed')}
      </fieldset>
    </Panel>
  );
}

interface FieldsProps {
  groups: readonly Group[];
  settings: Settings;
  errors: SettingsErrors;
}

/** The settings of some groups that apply. */
const keysOf = ({ groups, settings }: Pick<FieldsProps, 'groups' | 'settings'>) =>
  TEXT_KEYS.filter((key) => {
    const { group, hidden } = settingOf(key);
    return groups.includes(group) && !hidden && appliesTo(settings, key);
  });

const Fields = ({ groups, settings, errors }: FieldsProps) =>
  keysOf({ groups, settings }).map((key) => <SettingField key={key} name={key} errors={errors} />);

/** What few need; the summary lists what differs from the defaults. */
function Advanced({ settings, errors }: Pick<FieldsProps, 'settings' | 'errors'>) {
  const keys = keysOf({ groups: ADVANCED, settings });
  const defaults = defaultTexts(settings.optimizer as OptimizerName);
  const used = keys
    .filter((key) => settings[key] !== defaults[key])
    .map((key) => (settingOf(key).type === 'choice' ? settings[key] : shortOf(key)));
  const impossible = useApp(obstacleToMixed) !== undefined && settings.precision === 'mixed';
  const wrong = impossible || keys.some((key) => errors[key] !== undefined);
  return (
    <Fold title="Advanced" used={used.join(', ')} wrong={wrong}>
      <Fields groups={ADVANCED} settings={settings} errors={errors} />
    </Fold>
  );
}

/** Model, data and settings at once. */
function PresetField() {
  const settings = useApp((state) => state.settings);
  const change = useApp((state) => state.change);
  const slow = useApp(isSlow);
  const chosen = presetsInOrder.find((preset) => {
    const form = formOfPreset(preset);
    return (Object.keys(form) as (keyof Settings)[]).every(
      (key) => JSON.stringify(form[key]) === JSON.stringify(settings[key]),
    );
  });
  return (
    <Labelled
      label="Preset"
      hint={chosen?.description ?? 'A tested combination of model, data and settings to start from.'}
      stacked
    >
      {(described) => (
        <select
          {...described}
          value={chosen?.name ?? ''}
          onChange={(event) => {
            const preset = presetsInOrder.find(({ name }) => name === event.target.value);
            if (preset) change(formOfPreset(preset));
          }}
        >
          <option value="" disabled>
            Custom
          </option>
          {presetsInOrder.map(({ name, title, light }) => (
            <option key={name} value={name}>
              {title}
              {slow && !light ? ' (slow here)' : ''}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
