import { useId, type ReactNode } from 'react';
import styles from './Form.module.css';

interface FieldProps {
  label: string;
  /** What it means, on hover and for screen readers. */
  title?: string;
  children(id: string): ReactNode;
}

/** A label above a control. */
export function Field({ label, title, children }: FieldProps) {
  const id = useId();
  return (
    <div className={styles.field} title={title}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}

interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: NoInfer<T>; label: string }[];
  onChange(value: NoInfer<T>): void;
}

export function Select<T extends string>({ label, value, options, onChange }: SelectProps<T>) {
  return (
    <Field label={label}>
      {(id) => (
        <select
          id={id}
          value={value}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.target.value);
            if (chosen) onChange(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface PowerSliderProps {
  label: string;
  /** Powers of two. */
  least: number;
  most: number;
  value: number;
  onChange(value: number): void;
}

/** A slider over powers of two. */
export function PowerSlider({ label, least, most, value, onChange }: PowerSliderProps) {
  return (
    <Field label={`${label}: ${value}`}>
      {(id) => (
        <input
          id={id}
          type="range"
          min={Math.log2(least)}
          max={Math.log2(most)}
          step={1}
          value={Math.log2(value)}
          aria-valuetext={String(value)}
          onChange={(event) => onChange(2 ** Number(event.target.value))}
        />
      )}
    </Field>
  );
}

/** A caption above a choice of a few, which has a legend of its own. */
export function Captioned({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <span className={styles.caption} aria-hidden="true">
        {caption}
      </span>
      {children}
    </div>
  );
}
