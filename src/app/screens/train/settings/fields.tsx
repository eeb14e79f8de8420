import type { ReactNode } from 'react';
import type { ChoiceSetting } from '../../../../run/settings/kinds.ts';
import { settingOf, type OptimizerName } from '../../../../run/settings/table.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Labelled, Switch } from '../../../widgets/Labelled.tsx';
import { obstacleToMixed } from '../../../state/precision.ts';
import type { SettingsErrors } from '../../../state/read-settings.ts';
import { runIsOpen } from '../../../state/run.ts';
import { withOptimizer, type TextKey } from '../../../state/settings.ts';
import { useApp } from '../../../state/store.ts';

interface TextFieldProps {
  label: string;
  /** One line on what the number does; gives way to the error. */
  hint: string;
  error: string | undefined;
  value: string;
  beside?: ReactNode;
  /** It has a line of its own. */
  wide?: boolean;
  placeholder?: string | undefined;
  /** Takes letters too. */
  letters?: boolean;
  /** What is typed acts on the open run at once. */
  live?: boolean;
  /** The hint is behind a button. */
  brief?: boolean | undefined;
  onChange(value: string): void;
}

/** A number to type. A text field, because number fields hide what was typed when it is not yet a number. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    hint,
    error,
    value,
    beside,
    wide,
    placeholder,
    letters,
    live = false,
    brief,
    onChange,
  } = props;
  const stacked = wide || Boolean(beside);
  return (
    <Labelled stacked={stacked} label={label} hint={hint} error={error} live={live} brief={brief}>
      {(described) => (
        <>
          <input
            {...described}
            type="text"
            inputMode={letters ? 'text' : 'decimal'}
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          {beside}
        </>
      )}
    </Labelled>
  );
}

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
  const isOpen = useApp((state) => runIsOpen(state.runState));
  const setting = settingOf(name);
  const { title } = setting;
  const common = { label: title, error: errors[name], live: isOpen && setting.live !== undefined };
  const set = (text: string) => change({ [name]: text });
  switch (setting.type) {
    case 'switch':
      return (
        <Switch
          {...common}
          hint={setting.hint}
          on={value === 'yes'}
          onChange={(on) => set(on ? 'yes' : 'no')}
        />
      );
    case 'choice':
      return <ChoiceField name={name} setting={setting} value={value} error={errors[name]} brief={brief} />;
    default: {
      const percent = 'percent' in setting ? ' In percent.' : '';
      const blank = 'empty' in setting ? ` Leave blank for ${setting.empty}.` : '';
      const hint = `${setting.hint}${percent}${blank}`;
      const beside = name === 'seed' && (
        <Button icon="dice" onPress={() => set(String(Math.floor(Math.random() * 10_000)))}>
          New seed
        </Button>
      );
      const letters = setting.type === 'bytes' || setting.type === 'names';
      return (
        <TextField
          {...common}
          hint={hint}
          value={value}
          beside={beside}
          wide={setting.type === 'names'}
          placeholder={setting.type === 'names' ? (setting.placeholder ?? 'NAME') : undefined}
          letters={letters}
          brief={brief}
          onChange={set}
        />
      );
    }
  }
}

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
    <Labelled
      label={setting.title}
      hint={impossible ?? hint}
      error={error ?? (value === 'mixed' ? impossible : undefined)}
      brief={brief}
    >
      {(described) => (
        <select
          {...described}
          value={value}
          onChange={(event) => {
            const chosen = event.target.value;
            change(name === 'optimizer' ? withOptimizer(chosen as OptimizerName) : { [name]: chosen });
          }}
        >
          {setting.empty !== undefined && <option value="">{setting.empty}</option>}
          {Object.entries(setting.choices).map(([choice, title]) => (
            <option key={choice} value={choice} disabled={choice === 'mixed' && impossible !== undefined}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
