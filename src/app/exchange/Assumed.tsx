import type { AssumedField } from '../../worker/api.ts';
import { Labelled } from '../widgets/Labelled.tsx';
import { Select } from '../widgets/Select.tsx';
import { exchange as texts } from '../messages/en/exchange.tsx';
import styles from './Exchange.module.css';

interface AssumedProps {
  fields: readonly AssumedField[];
  onChange(name: AssumedField['name'], value: string): void;
}

/** What was assumed of a network that was inferred from its weights, to be corrected. */
export function Assumed({ fields, onChange }: AssumedProps) {
  return (
    <fieldset className={styles.assumed}>
      <legend>{texts.import.assumed.title}</legend>
      <p className="soft">{texts.import.assumed.hint}</p>
      {fields.map(({ name, value, choices }) => {
        const change = (next: string) => next !== value && onChange(name, next);
        const { label, hint } = texts.import.assumed.fields[name];
        return choices ? (
          <Select
            key={name}
            look="above"
            label={label}
            hint={hint}
            value={value}
            options={choices.map((one) => ({ value: one, title: texts.import.assumed.words[one] ?? one }))}
            onChange={change}
          />
        ) : (
          <Labelled key={name} look="above" label={label} hint={hint}>
            {(described) => (
              <input
                {...described}
                key={value}
                type="text"
                autoComplete="off"
                defaultValue={value}
                onBlur={({ target }) => change(target.value)}
                onKeyDown={({ key, currentTarget }) => key === 'Enter' && change(currentTarget.value)}
              />
            )}
          </Labelled>
        );
      })}
    </fieldset>
  );
}
