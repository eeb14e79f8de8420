import { Explain, firstLayer } from './Popover.tsx';
import { Hint, mark, useDescribed, type FieldProps } from './Labelled.tsx';
import styles from './Labelled.module.css';

interface SwitchProps extends Pick<FieldProps, 'label' | 'hint' | 'error' | 'live'> {
  on: boolean;
  onChange(on: boolean): void;
}

/** A checkbox, its label and a hint. */
export function Switch({ label, hint, error, live = false, on, onChange }: SwitchProps) {
  const described = useDescribed(error);
  const { said, hasMore } = firstLayer(hint);
  return (
    <div>
      <div className={styles.switch} {...mark(live)}>
        <input
          {...described}
          type="checkbox"
          checked={on}
          onChange={(event) => onChange(event.target.checked)}
        />
        <label htmlFor={described.id}>{label}</label>
        {hasMore && <Explain of={label}>{hint}</Explain>}
      </div>
      <Hint id={described['aria-describedby']} wrong={error !== undefined}>
        {error ?? said}
      </Hint>
    </div>
  );
}
