import { useId, type ReactNode } from 'react';
import styles from './Choice.module.css';

interface ChoiceProps<T extends string> {
  /** What is being chosen, for screen readers. */
  label: string;
  value: NoInfer<T>;
  /** The label of each, in order. */
  options: Readonly<Record<T, string>>;
  /** Shown in place of the labels, which are for screen readers then. */
  pictures?: Readonly<Record<NoInfer<T>, ReactNode>>;
  /** Why nothing else can be chosen now. It stays focusable, so that the reason can be read. */
  obstacle?: string | undefined;
  onChange(value: NoInfer<T>): void;
}

/** One of a few options, side by side. */
export function Choice<T extends string>({
  label,
  value,
  options,
  pictures,
  obstacle,
  onChange,
}: ChoiceProps<T>) {
  const blocked = obstacle !== undefined;
  const name = useId();
  return (
    <fieldset className={styles.choice} title={obstacle} aria-disabled={blocked || undefined}>
      <legend className="unseen">{label}</legend>
      {(Object.entries(options) as [T, string][]).map(([option, title]) => (
        <label key={option} title={pictures && title}>
          <input
            type="radio"
            name={name}
            checked={option === value}
            onChange={() => {
              if (!blocked) onChange(option);
            }}
            aria-label={pictures && title}
          />
          {pictures?.[option] ?? title}
        </label>
      ))}
    </fieldset>
  );
}
