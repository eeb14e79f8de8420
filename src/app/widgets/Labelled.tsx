import { useId, type ReactNode } from 'react';
import { Explain } from './Popover.tsx';
import styles from './Labelled.module.css';

interface SettingProps {
  label: string;
  /** What it does, in a line; an error replaces it. */
  hint: ReactNode;
  error?: string | undefined;
  /** A change applies to the open run immediately. */
  live?: boolean;
}

/** The attributes that connect an input with its label and hint. */
export interface Described {
  id: string;
  'aria-describedby': string;
  'aria-invalid': true | undefined;
}

interface LabelledProps extends SettingProps {
  /** The control has a line of its own. */
  stacked?: boolean;
  /** Where room is scarce: the hint is behind a button. */
  brief?: boolean | undefined;
  children(described: Described): ReactNode;
}

/** A label, its control beside or below it, and a hint. */
export function Labelled({
  label,
  hint,
  error,
  live = false,
  stacked = false,
  brief = false,
  children,
}: LabelledProps) {
  const described = useDescribed(error);
  return (
    <div className={styles.labelled} data-stacked={stacked || undefined} data-brief={brief || undefined}>
      <span className={styles.name}>
        <label htmlFor={described.id}>{label}</label>
        {brief && <Explain of={label}>{hint}</Explain>}
      </span>
      <Control live={live}>{children(described)}</Control>
      <Hint id={described['aria-describedby']} wrong={error !== undefined} unseen={brief && !error}>
        {error ?? hint}
      </Hint>
    </div>
  );
}

interface SwitchProps extends SettingProps {
  on: boolean;
  onChange(on: boolean): void;
}

/** A checkbox, its label and a hint. */
export function Switch({ label, hint, error, live = false, on, onChange }: SwitchProps) {
  const described = useDescribed(error);
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
      </div>
      <Hint id={described['aria-describedby']} wrong={error !== undefined}>
        {error ?? hint}
      </Hint>
    </div>
  );
}

/** The place of an input or a choice, with its button beside it. */
export const Control = ({ live = false, children }: { live?: boolean; children: ReactNode }) => (
  <div className={styles.control} {...mark(live)}>
    {children}
  </div>
);

interface HintProps {
  id?: string;
  wrong?: boolean;
  /** For screen readers only. */
  unseen?: boolean;
  /** Screen readers announce its changes. */
  announced?: boolean;
  children: ReactNode;
}

/** A line in small print: what something means, or its error. */
export function Hint({ id, wrong = false, unseen = false, announced = false, children }: HintProps) {
  return (
    <p
      id={id}
      className={unseen ? 'unseen' : styles.hint}
      data-wrong={wrong || undefined}
      role={announced ? 'status' : undefined}
    >
      {children}
    </p>
  );
}

function useDescribed(error: string | undefined): Described {
  const id = useId();
  return { id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error === undefined ? undefined : true };
}

const mark = (live: boolean) =>
  live ? { 'data-live': true, title: 'Applies immediately, without a restart' } : {};
