import { useState } from 'react';
import { presets, presetsInOrder, START_HERE } from '../../../../run/presets.ts';
import { chosenDataset } from '../../../actions/start.ts';
import { later } from '../../../components/later.tsx';
import { Icon } from '../../../widgets/Icon.tsx';
import { Labelled } from '../../../widgets/Labelled.tsx';
import { isSlow } from '../../../state/device.ts';
import { obstacleToMixed } from '../../../state/precision.ts';
import { readSettings } from '../../../state/read-settings.ts';
import { formOfPreset, type Settings } from '../../../state/settings.ts';
import { useApp } from '../../../state/store.ts';
import { advancedKeys, changedFrom } from './advanced.ts';
import { SettingField } from './fields.tsx';
import { LearningRate } from './LearningRate.tsx';
import { Memory } from './Memory.tsx';
import styles from './Settings.module.css';

const Advanced = later('Advanced settings', async () => (await import('./Advanced.tsx')).Advanced);

/** The settings that matter most. Changes while a run is open act at once where they can; see ../changes. */
export function SettingsCard() {
  const settings = useApp((state) => state.settings);
  const { errors } = readSettings(settings, useApp(chosenDataset));
  return (
    <section className={styles.card} aria-label="Settings">
      <PresetField />
      <LearningRate errors={errors} />
      <SettingField name="batchSize" errors={errors} brief />
      <SettingField name="optimizer" errors={errors} brief />
      <Memory />
      <AdvancedButton />
    </section>
  );
}

/** Opens all other settings; beneath its name, what differs from the defaults. */
function AdvancedButton() {
  const [open, setOpen] = useState(false);
  const settings = useApp((state) => state.settings);
  const dataset = useApp(chosenDataset);
  const { errors } = readSettings(settings, dataset);
  const keys = advancedKeys(settings);
  const changed = changedFrom(settings, dataset);
  const impossible = useApp(obstacleToMixed) !== undefined && settings.precision === 'mixed';
  const wrong =
    impossible || Object.keys(errors).some((key) => keys.includes(key as never) || !(key in settings));
  return (
    <>
      <button
        type="button"
        className={styles.advanced}
        aria-haspopup="dialog"
        aria-expanded={open}
        data-wrong={wrong || undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name="settings" />
        <b>Advanced</b>
        <span className="fine" title={changed.join(', ')}>
          {wrong ? 'invalid' : changed.length > 1 ? `${changed.length} changed` : changed[0]}
        </span>
        <Icon name="chevron" />
      </button>
      {open && <Advanced onClose={() => setOpen(false)} />}
    </>
  );
}

const PresetDescription = later(
  'What the preset is',
  async () => (await import('./PresetDescription.tsx')).PresetDescription,
);

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
      hint={
        chosen === presets.get('lenet5-digits') ? (
          START_HERE
        ) : chosen ? (
          <PresetDescription name={chosen.name} />
        ) : (
          'A tested combination of model, data and settings to start from.'
        )
      }
      brief
    >
      {(described) => (
        <select
          {...described}
          data-long
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
