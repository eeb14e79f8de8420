import { useState, type ReactNode } from 'react';
import { AUGMENTATIONS, type AugmentationName } from '../../../../base/augmentation.ts';
import { settingOf, type ChoiceSetting, type OptimizerName } from '../../../../run/settings/table.ts';
import { chosenDataset } from '../../../actions/start.ts';
import { Button } from '../../../components/Button.tsx';
import { Hint, Labelled, Switch } from '../../../components/Labelled.tsx';
import { obstacleToMixed } from '../../../state/precision.ts';
import { augmentationText, type SettingsErrors } from '../../../state/read-settings.ts';
import { runIsOpen } from '../../../state/run.ts';
import { withOptimizer, type TextKey } from '../../../state/settings.ts';
import { useApp } from '../../../state/store.ts';
import styles from './SettingsPanel.module.css';

interface TextFieldProps {
  label: string;
  /** One line on what the number does; gives way to the error. */
  hint: string;
  error: string | undefined;
  value: string;
  beside?: ReactNode;
  /** Takes letters too. */
  letters?: boolean;
  /** What is typed acts on the open run at once. */
  live?: boolean;
  onChange(value: string): void;
}

/** A number to type. A text field, because number fields hide what was typed when it is not yet a number. */
function TextField({ label, hint, error, value, beside, letters, live = false, onChange }: TextFieldProps) {
  return (
    <Labelled stacked={Boolean(beside)} label={label} hint={hint} error={error} live={live}>
      {(described) => (
        <>
          <input
            {...described}
            type="text"
            inputMode={letters ? 'text' : 'decimal'}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          {beside}
        </>
      )}
    </Labelled>
  );
}

/** One setting of the table, by its type. */
export function SettingField({ name, errors }: { name: TextKey; errors: SettingsErrors }) {
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
      return <ChoiceField name={name} setting={setting} value={value} error={errors[name]} />;
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
        <TextField {...common} hint={hint} value={value} beside={beside} letters={letters} onChange={set} />
      );
    }
  }
}

interface ChoiceFieldProps {
  name: TextKey;
  setting: ChoiceSetting & { empty?: string };
  value: string;
  error: string | undefined;
}

function ChoiceField({ name, setting, value, error }: ChoiceFieldProps) {
  const change = useApp((state) => state.change);
  const impossible = useApp((state) => (name === 'precision' ? obstacleToMixed(state) : undefined));
  const about = setting.about?.[value];
  const hint = about ? `${setting.hint} It ${about}.` : setting.hint;
  return (
    <Labelled
      label={setting.title}
      hint={impossible ?? hint}
      error={error ?? (value === 'mixed' ? impossible : undefined)}
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

/** Settings that can be folded away. They open while one is wrong. */
export function Fold({
  title,
  used,
  wrong,
  children,
}: {
  title: string;
  used: string;
  wrong: boolean;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className={styles.group}
      open={open || wrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {title} <span className={styles.summary}>{used}</span>
      </summary>
      {children}
    </details>
  );
}

/** How training images are augmented. What is set here holds until another data set is chosen. */
export function AugmentationFields({ errors }: { errors: SettingsErrors }) {
  const settings = useApp((state) => state.settings);
  const dataset = useApp(chosenDataset);
  const change = useApp((state) => state.change);
  // The run's own images only: those of other data wait for a restart.
  const live = useApp(
    (state) => runIsOpen(state.runState) && state.runConfig?.dataset === state.settings.dataset,
  );
  const { title, hint } = settingOf('augmentation');
  const text = (name: AugmentationName) => augmentationText(name, settings, dataset);
  const on = AUGMENTATIONS.filter(({ name }) => Number(text(name)) !== 0);
  const used = on.map((kind) => kind.title.toLowerCase()).join(', ') || 'off';
  const set = (name: AugmentationName, value: string) =>
    change({ augmentation: { ...settings.augmentation, [name]: value } });
  return (
    <Fold title={title} used={used} wrong={AUGMENTATIONS.some(({ name }) => errors[name] !== undefined)}>
      <Hint>{hint}</Hint>
      {AUGMENTATIONS.map(({ name, title: label, summary, usual, kind }) =>
        kind === 'switch' ? (
          <Switch
            key={name}
            label={label}
            hint={summary}
            on={text(name) !== '0'}
            live={live}
            onChange={(to) => set(name, to ? '1' : '0')}
          />
        ) : (
          <TextField
            key={name}
            label={label}
            hint={`${summary} 0 turns it off; ${usual} is typical.`}
            error={errors[name]}
            value={text(name)}
            live={live}
            onChange={(typed) => set(name, typed)}
          />
        ),
      )}
    </Fold>
  );
}
