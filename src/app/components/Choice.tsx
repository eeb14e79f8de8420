import type { ReactNode } from 'react';
import styles from './Choice.module.css';

interface ChoiceProps<T extends string> {
  /** What is being chosen, for screen readers. */
  label: string;
  name: string;
  value: T;
  options: readonly { value: NoInfer<T>; label: string; picture?: ReactNode }[];
  onChange(value: NoInfer<T>): void;
}

/** One of a few options, side by side. An option with a picture shows only that; its label is for screen readers. */
export function Choice<T extends string>({ label, name, value, options, onChange }: ChoiceProps<T>) {
  return (
    <fieldset className={styles.choice}>
      <legend className="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option.value} title={option.picture ? option.label : undefined}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            aria-label={option.picture ? option.label : undefined}
          />
          {option.picture ?? option.label}
        </label>
      ))}
    </fieldset>
  );
}
