import { useId } from 'react';
import styles from './Samples.module.css';

interface ClassFilterProps {
  label: string;
  classes: readonly string[];
  /** Undefined stands for any. */
  value: number | undefined;
  onChange(value: number | undefined): void;
}

/** One class, or any. */
export function ClassFilter({ label, classes, value, onChange }: ClassFilterProps) {
  const id = useId();
  return (
    <div className={styles.filter}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value === '' ? undefined : Number(event.target.value))}
      >
        <option value="">any</option>
        {classes.map((name, i) => (
          <option key={name} value={i}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
