import type { ChoiceSetting } from '../../../../run/settings/kinds.ts';
import { settingOf, type OptimizerName } from '../../../../run/settings/table.ts';
import { expectedOf, parseSetting } from '../../../../run/settings/text.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Labelled, Switch } from '../../../widgets/Labelled.tsx';
import type { NumberRule } from '../../../widgets/number-rule.ts';
import { NumberField } from '../../../widgets/NumberField.tsx';
import { Select } from '../../../widgets/Select.tsx';
import { Sought } from './sought.tsx';
import { obstacleToMixed } from '../../../state/precision.ts';
import type { SettingsErrors } from '../../../state/read-settings.ts';
import { runIsOpen } from '../../../state/run.ts';
import { withOptimizer, type TextKey } from '../../../state/settings.ts';
import { useApp } from '../../../state/store.ts';

interface SettingFieldProps {
  name: TextKey;
  errors: SettingsErrors;
  /** The hint is behind a button. */
  brief?: boolean;
}

/** One setting of the table, by its type. */
export function SettingField({ name, errors, brief = false }: SettingFieldProps) {
  const value = useApp((state) => state.settings[name]);
  const change = useApp((state) => state.change);
  const mark = useApp((state) => state.mark);
  const isOpen = useApp((state) => runIsOpen(state.runState));
  const setting = settingOf(name);
  const live = isOpen && setting.live !== undefined;
  const common = { label: setting.title, error: errors[name], live };
  const set = (text: string) => change({ [name]: text });
  const percent = 'percent' in setting ? ' In percent.' : '';
  const blank = 'empty' in setting ? ` Leave blank for ${setting.empty}.` : '';
  const hint = `${setting.hint}${percent}${blank}`;
  const field = () => {
    switch (setting.type) {
      case 'switch':
        return (
          <Switch {...common} hint={hint} on={value === 'yes'} onChange={(on) => set(on ? 'yes' : 'no')} />
        );
      case 'choice':
        return <ChoiceField name={name} setting={setting} value={value} error={errors[name]} brief={brief} />;
      case 'number':
      case 'whole':
        return (
          <NumberField
            {...common}
            hint={hint}
            look={name === 'seed' ? 'stacked' : brief ? 'brief' : 'line'}
            value={value}
            rule={ruleOf(name)}
            beside={
              name === 'seed' && (
                <Button icon="dice" onPress={() => set(String(Math.floor(Math.random() * 10_000)))}>
                  New seed
                </Button>
              )
            }
            onChange={set}
            onError={(error) => mark(name, error)}
          />
        );
      default:
        return (
          <Labelled {...common} hint={hint} look={setting.type === 'names' ? 'stacked' : 'line'}>
            {(described) => (
              <input
                {...described}
                type="text"
                autoComplete="off"
                spellCheck={false}
                placeholder={setting.type === 'names' ? (setting.placeholder ?? 'NAME') : undefined}
                value={value}
                onChange={(event) => set(event.target.value)}
              />
            )}
          </Labelled>
        );
    }
  };
  return <Sought name={name}>{field()}</Sought>;
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

interface ChoiceFieldProps {
  name: TextKey;
  setting: ChoiceSetting & { empty?: string };
  value: string;
  error: string | undefined;
  brief: boolean;
}

function ChoiceField({ name, setting, value, error, brief }: ChoiceFieldProps) {
  const change = useApp((state) => state.change);
  const impossible = useApp((state) => (name === 'precision' ? obstacleToMixed(state) : undefined));
  const about = setting.about?.[value];
  const hint = about ? `${setting.hint} It ${about}.` : setting.hint;
  return (
    <Select
      label={setting.title}
      hint={impossible ?? hint}
      error={error ?? (value === 'mixed' ? impossible : undefined)}
      look={brief ? 'brief' : 'line'}
      value={value}
      options={[
        setting.empty !== undefined && { value: '', title: setting.empty },
        ...Object.entries(setting.choices).map(([choice, title]) => ({
          value: choice,
          title,
          disabled: choice === 'mixed' && impossible !== undefined,
        })),
      ]}
      onChange={(chosen) =>
        change(name === 'optimizer' ? withOptimizer(chosen as OptimizerName) : { [name]: chosen })
      }
    />
  );
}
