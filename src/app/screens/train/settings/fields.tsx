/** Settings that are a number or one of several choices, as fields. */
import { settingOf, type OptimizerName } from '../../../../run/settings/table.ts';
import { expectedOf, parseSetting } from '../../../../run/settings/text.ts';
import { obstacleToMixed } from '../../../state/precision.ts';
import type { SettingsErrors } from '../../../state/read-settings.ts';
import { runIsOpen } from '../../../state/run.ts';
import { withOptimizer, type TextKey } from '../../../state/settings.ts';
import { useApp } from '../../../state/store.ts';
import type { FieldProps } from '../../../widgets/Labelled.tsx';
import type { NumberRule } from '../../../widgets/number-rule.ts';
import { NumberField } from '../../../widgets/NumberField.tsx';
import { Select } from '../../../widgets/Select.tsx';
import type { InLayers } from '../../../widgets/Popover.tsx';
import { later } from '../../../components/later.tsx';
import { termHref } from '../../../glossary-link.ts';
import { Sought } from './sought.tsx';
import { train as texts } from '../../../messages/en/train.tsx';

const Everyday = later('What the setting is', async () => (await import('./words.tsx')).Everyday);
const Hint = later('What the setting does', async () => (await import('./words.tsx')).SettingHint);

/** What a setting is, in everyday words first. @param more after its hint */
export function hintOf(name: TextKey, more = ''): InLayers {
  const { title, live } = settingOf(name);
  const acts = live ? ` ${texts.settings.acts[live]}` : '';
  return {
    everyday: <Everyday name={name} />,
    more: <Hint name={name} more={`${more}${acts}`} />,
    link: termHref(title),
  };
}

export interface SettingFieldProps extends Pick<FieldProps, 'look' | 'beside'> {
  name: TextKey;
  errors: SettingsErrors;
}

/** What every field of a setting has: its label, what is wrong, and whether it acts at once. */
export function useSettingField(name: TextKey, errors: SettingsErrors) {
  const value = useApp((state) => state.settings[name]);
  const change = useApp((state) => state.change);
  const isOpen = useApp((state) => runIsOpen(state.runState));
  const { title, live } = settingOf(name);
  return {
    value,
    field: { label: title, hint: hintOf(name), error: errors[name], live: isOpen && live !== undefined },
    set: (text: string) => change({ [name]: text }),
  };
}

/** The numbers of a setting, in the units of the page. */
const ruleOf = (name: TextKey): NumberRule => ({
  expected: expectedOf(name, 'page'),
  accepts: (value) =>
    value === undefined
      ? settingOf(name).default === undefined
      : parseSetting(name, String(value), 'page').ok,
  whole: settingOf(name).type === 'whole',
});

/** A setting that is a number. */
export function NumberSettingField({ name, errors, ...more }: SettingFieldProps) {
  const { value, field, set } = useSettingField(name, errors);
  const mark = useApp((state) => state.mark);
  const setting = settingOf(name);
  const percent = 'percent' in setting ? ` ${texts.settings.percent}` : '';
  const blank = 'empty' in setting ? ` ${texts.settings.blank(setting.empty)}` : '';
  return (
    <Sought name={name}>
      <NumberField
        {...field}
        {...more}
        // The mark is explained where fields are listed in full.
        live={field.live && more.look !== 'brief'}
        hint={hintOf(name, `${percent}${blank}`)}
        value={value}
        rule={ruleOf(name)}
        onChange={set}
        onError={(error) => mark(name, error)}
      />
    </Sought>
  );
}

/** A setting that is one of several choices. */
export function ChoiceSettingField({ name, errors, look }: SettingFieldProps) {
  const { value, field, set } = useSettingField(name, errors);
  const change = useApp((state) => state.change);
  const impossible = useApp((state) => (name === 'precision' ? obstacleToMixed(state) : undefined));
  const setting = settingOf(name);
  if (setting.type !== 'choice') return null;
  const about = setting.about?.[value];
  return (
    <Sought name={name}>
      <Select
        label={setting.title}
        hint={impossible ?? hintOf(name, about && ` ${texts.settings.chosen(about)}`)}
        error={field.error ?? (value === 'mixed' ? impossible : undefined)}
        look={look}
        value={value}
        options={[
          'empty' in setting && { value: '', title: setting.empty },
          ...Object.entries(setting.choices).map(([choice, title]) => ({
            value: choice,
            title,
            disabled: choice === 'mixed' && impossible !== undefined,
          })),
        ]}
        onChange={(chosen) =>
          name === 'optimizer' ? change(withOptimizer(chosen as OptimizerName)) : set(chosen)
        }
      />
    </Sought>
  );
}
