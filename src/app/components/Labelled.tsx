import { useId, type ReactNode } from 'react';
import styles from './Labelled.module.css';

interface SettingProps {
  label: string;
  /** What it does, in a line; gives way to the error. */
  hint: ReactNode;
  error?: string | undefined;
  /** What is set acts on the open run at once. */
  live?: boolean;
}

/** What an input has to have so that its label and its hint are known to belong to it. */
export interface Described {
  id: string;
  'aria-describedby': string;
  'aria-invalid': true | undefined;
}

interface LabelledProps extends SettingProps {
  /** The control has a line of its own. */
  stacked?: boolean;
  children(described: Described): ReactNode;
}

/** A name, what is set beside or below it, and what it means. */
export function Labelled({ label, hint, error, live = false, stacked = false, children }: LabelledProps) {
  const described = useDescribed(error);
  return (
    <div className={styles.labelled} data-stacked={stacked || undefined}>
      <label htmlFor={described.id}>{label}</label>
      <Control live={live}>{children(described)}</Control>
      <Hint id={described['aria-describedby']} wrong={error !== undefined}>
        {error ?? hint}
      </Hint>
    </div>
  );
}

interface SwitchProps extends SettingProps {
  on: boolean;
  onChange(on: boolean): void;
}

/** A box to tick, its name, and what it means. */
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

/** Where an input or a choice stands, with what belongs to it at its side. */
export const Control = ({ live = false, children }: { live?: boolean; children: ReactNode }) => (
  <div className={styles.control} {...mark(live)}>
    {children}
  </div>
);

interface HintProps {
  id?: string;
  wrong?: boolean;
  /** Announced when it changes. */
  said?: boolean;
  children: ReactNode;
}

/** A line in small print: what something means, or what is wrong with it. */
export function Hint({ id, wrong = false, said = false, children }: HintProps) {
  return (
    <p id={id} className={styles.hint} data-wrong={wrong || undefined} role={said ? 'status' : undefined}>
      {children}
    </p>
  );
}

function useDescribed(error: string | undefined): Described {
  const id = useId();
  return { id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error === undefined ? undefined : true };
}

const mark = (live: boolean) => (live ? { 'data-live': true, title: 'Acts at once' } : {});
