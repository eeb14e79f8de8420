import { useState } from 'react';
import { AUGMENTATIONS } from '../../../../base/augmentation.ts';
import { presets, presetsInOrder, START_HERE } from '../../../../run/presets.ts';
import { chosenDataset } from '../../../actions/start.ts';
import { later } from '../../../components/later.tsx';
import { Icon } from '../../../widgets/Icon.tsx';
import { Select } from '../../../widgets/Select.tsx';
import { isSlow } from '../../../state/device.ts';
import { obstacleToMixed } from '../../../state/precision.ts';
import { augmentationText, readSettings } from '../../../state/read-settings.ts';
import { formOfPreset, type Settings } from '../../../state/settings.ts';
import { useApp } from '../../../state/store.ts';
import { changedFrom, isAdvanced } from './advanced.ts';
import { ChoiceSettingField, NumberSettingField } from './fields.tsx';
import { LearningRate } from './LearningRate.tsx';
import { train as texts } from '../../../messages/en/train.tsx';
import styles from './Settings.module.css';
import { useSought } from './sought.tsx';

const Memory = later('Memory', async () => (await import('./Memory.tsx')).Memory);

const Advanced = later('Advanced settings', async () => (await import('./Advanced.tsx')).Advanced);

/** The settings that matter most. Changes while a run is open act at once where they can; see ../changes. */
export function SettingsCard() {
  const settings = useApp((state) => state.settings);
  const { errors } = readSettings(settings, useApp(chosenDataset));
  return (
    <section className={styles.card} aria-label={texts.settings.label}>
      <PresetField />
      <LearningRate errors={errors} />
      <NumberSettingField name="batchSize" errors={errors} look="brief" />
      <ChoiceSettingField name="optimizer" errors={errors} look="brief" />
      <Memory meanwhile={<p className={`soft ${styles.need}`} />} />
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
  const marked = useApp((state) => state.wrong);
  const changed = changedFrom(settings, dataset);
  const impossible = useApp(obstacleToMixed) !== undefined && settings.precision === 'mixed';
  const wrong = impossible || Object.keys({ ...errors, ...marked }).some(isAdvanced);
  useSought((name) => isAdvanced(name) && setOpen(true));
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
        <b>{texts.settings.advanced}</b>
        <span className="fine" title={changed.join(', ')}>
          {wrong
            ? texts.settings.invalid
            : changed.length > 1
              ? texts.settings.changed(changed.length)
              : changed[0]}
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
  const data = useApp(chosenDataset);
  const sameAugmentation = ({ augmentation = {} }: Partial<Settings>) =>
    AUGMENTATIONS.every(
      ({ name }) => Number(augmentation[name]) === Number(augmentationText(name, settings, data)),
    );
  const chosen = presetsInOrder.find((preset) => {
    const form = formOfPreset(preset);
    return (Object.keys(form) as (keyof Settings)[]).every((key) =>
      key === 'augmentation' ? sameAugmentation(form) : form[key] === settings[key],
    );
  });
  return (
    <Select
      look="brief"
      long
      label={texts.settings.preset}
      hint={
        chosen === presets.get('lenet5-digits') ? (
          START_HERE
        ) : chosen ? (
          <PresetDescription name={chosen.name} />
        ) : (
          texts.settings.aboutPresets
        )
      }
      value={chosen?.name ?? ''}
      options={[
        { value: '', title: texts.settings.custom, disabled: true },
        ...presetsInOrder.map(({ name, title, light }) => ({
          value: name,
          title: slow && !light ? texts.settings.slow(title) : title,
        })),
      ]}
      onChange={(name) => {
        const preset = presets.get(name);
        if (preset) change(formOfPreset(preset));
      }}
    />
  );
}
