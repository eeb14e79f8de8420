import { useId, type ReactNode } from 'react';
import styles from './SettingsPanel.module.css';

interface FieldProps {
  label: string;
  /** One line on what the number does; gives way to the error. */
  hint: string;
  error: string | undefined;
  value: string;
  beside?: ReactNode;
  /** What is typed acts on the open run at once. */
  live?: boolean;
  onChange(value: string): void;
}

/** A number to type. A text field, because number fields hide what was typed when it is not yet a number. */
export function Field({ label, hint, error, value, beside, live = false, onChange }: FieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.inputs} data-live={live || undefined} title={live ? 'Acts at once' : undefined}>
        <input
          id={id}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          value={value}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onChange(event.target.value)}
        />
        {beside}
      </div>
      <p id={`${id}-hint`} className={error ? styles.error : styles.hint}>
        {error ?? hint}
      </p>
    </div>
  );
}
