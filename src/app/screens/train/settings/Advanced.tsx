import { useId, useState } from 'react';
import { AUGMENTATIONS, type AugmentationName } from '../../../../base/augmentation.ts';
import { HINTS } from '../../../../run/settings/hints.ts';
import { settingOf } from '../../../../run/settings/table.ts';
import { chosenDataset } from '../../../actions/start.ts';
import { Drawer } from '../../../widgets/Drawer.tsx';
import { Button } from '../../../widgets/Button.tsx';
import { Hint, Labelled } from '../../../widgets/Labelled.tsx';
import { Switch } from '../../../widgets/Switch.tsx';
import { Select } from '../../../widgets/Select.tsx';
import { NumberField } from '../../../widgets/NumberField.tsx';
import {
  augmentationRule,
  augmentationText,
  readSettings,
  type SettingsErrors,
} from '../../../state/read-settings.ts';
import { runIsOpen } from '../../../state/run.ts';
import { useApp } from '../../../state/store.ts';
import { advancedKeys, isFound } from './advanced.ts';
import {
  ChoiceSettingField,
  hintOf,
  NumberSettingField,
  useSettingField,
  type SettingFieldProps,
} from './fields.tsx';
import { settings as texts } from '../../../messages/en/settings.tsx';
import { train } from '../../../messages/en/train.tsx';
import styles from './Settings.module.css';
import { Sought, useSought } from './sought.tsx';

/** All settings that are not in view, by group, with a search. */
export function Advanced({ onClose }: { onClose(): void }) {
  const [query, setQuery] = useState('');
  useSought(() => setQuery(''));
  const settings = useApp((state) => state.settings);
  const open = useApp((state) => runIsOpen(state.runState));
  const { errors } = readSettings(settings, useApp(chosenDataset));
  const keys = advancedKeys(settings).filter((key) => {
    return isFound(query, settingOf(key).title, HINTS[key]);
  });
  const groups = Object.entries(texts.groups).map(([group, title]) => ({
    title,
    fields:
      group === 'augmentation' ? (
        <AugmentationFields query={query} errors={errors} />
      ) : (
        keys
          .filter((key) => settingOf(key).group === group)
          .map((key) => <SettingField key={key} name={key} errors={errors} />)
      ),
    empty:
      group === 'augmentation'
        ? augmentationsFor(query).length === 0
        : !keys.some((key) => settingOf(key).group === group),
  }));
  return (
    <Drawer title={texts.title} onClose={onClose}>
      <div className="stack">
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        {open && <Hint>{texts.marked}</Hint>}
        {groups
          .filter(({ empty }) => !empty)
          .map(({ title, fields }) => (
            <SettingsGroup key={title} title={title}>
              {fields}
            </SettingsGroup>
          ))}
        {groups.every(({ empty }) => empty) && <p className="soft">{texts.none}</p>}
      </div>
    </Drawer>
  );
}

function SettingsGroup({ title, children }: { title: string; children: React.ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={`stack ${styles.group}`}>
      <h3 id={id}>{title}</h3>
      {children}
    </div>
  );
}

/** One setting of the table, by its type. */
function SettingField({ name, errors }: SettingFieldProps) {
  const { value, field, set } = useSettingField(name, errors);
  const setting = settingOf(name);
  switch (setting.type) {
    case 'switch':
      return (
        <Sought name={name}>
          <Switch {...field} on={value === 'yes'} onChange={(on) => set(on ? 'yes' : 'no')} />
        </Sought>
      );
    case 'weights':
      return (
        <Sought name={name}>
          <Select
            {...field}
            value={value}
            options={[
              { value: '', title: setting.empty },
              { value: 'balanced', title: texts.balanced },
              // As a link may have them.
              value !== '' && value !== 'balanced' && { value, title: value },
            ]}
            onChange={set}
          />
        </Sought>
      );
    case 'choice':
      return <ChoiceSettingField name={name} errors={errors} />;
    case 'number':
    case 'whole':
      if (name !== 'seed') return <NumberSettingField name={name} errors={errors} />;
      return (
        <NumberSettingField
          name={name}
          errors={errors}
          look="block"
          beside={
            <Button icon="dice" onPress={() => set(String(Math.floor(Math.random() * 10_000)))}>
              {texts.newSeed}
            </Button>
          }
        />
      );
    default:
      return <TextSettingField name={name} errors={errors} />;
  }
}

/** A setting that is typed: a number that may be left blank, or names. */
function TextSettingField({ name, errors }: SettingFieldProps) {
  const { value, field, set } = useSettingField(name, errors);
  const setting = settingOf(name);
  const names = setting.type === 'names';
  const blank = 'empty' in setting ? ` ${train.settings.blank(setting.empty)}` : '';
  return (
    <Sought name={name}>
      <Labelled {...field} hint={hintOf(name, blank)} look={names ? 'block' : 'line'}>
        {(described) => (
          <input
            {...described}
            type="text"
            autoComplete="off"
            spellCheck={false}
            placeholder={names ? (setting.placeholder ?? texts.name) : undefined}
            value={value}
            onChange={(event) => set(event.target.value)}
          />
        )}
      </Labelled>
    </Sought>
  );
}

const augmentationsFor = (query: string) =>
  AUGMENTATIONS.filter(({ title, summary }) => isFound(query, `augmentation ${title}`, summary));

interface AugmentationFieldsProps {
  query: string;
  errors: SettingsErrors;
}

/** How training images are augmented. What is set here holds until another data set is chosen. */
function AugmentationFields({ query, errors }: AugmentationFieldsProps) {
  const settings = useApp((state) => state.settings);
  const dataset = useApp(chosenDataset);
  const change = useApp((state) => state.change);
  const mark = useApp((state) => state.mark);
  // The run's own images only: those of other data wait for a restart.
  const live = useApp(
    (state) => runIsOpen(state.runState) && state.runConfig?.dataset === state.settings.dataset,
  );
  const text = (name: AugmentationName) => augmentationText(name, settings, dataset);
  const set = (name: AugmentationName, value: string) =>
    change({ augmentation: { ...settings.augmentation, [name]: value } });
  return (
    <>
      <Hint>{HINTS.augmentation}</Hint>
      {augmentationsFor(query).map((augmentation) => {
        const { name, title: label, summary, usual, kind } = augmentation;
        return kind === 'switch' ? (
          <Switch
            key={name}
            label={label}
            hint={summary}
            on={text(name) !== '0'}
            live={live}
            onChange={(to) => set(name, to ? '1' : '0')}
          />
        ) : (
          <Sought key={name} name={name}>
            <NumberField
              label={label}
              hint={texts.usual(summary, usual)}
              error={errors[name]}
              value={text(name)}
              rule={augmentationRule(augmentation, dataset)}
              live={live}
              onChange={(typed) => set(name, typed)}
              onError={(error) => mark(name, error)}
            />
          </Sought>
        );
      })}
    </>
  );
}
