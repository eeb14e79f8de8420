import { useId, type ReactNode } from 'react';
import { Explain, firstLayer, type Explanation } from './Popover.tsx';
import styles from './Labelled.module.css';

/**
 * Where the label of a control is. `line`: at the left, the hint below. `brief`: likewise, the hint behind a button,
 * where room is scarce. `block`: in a line of its own, the control below. `above`: a caption in small print above the
 * control. `beside`: before the control, in a line with what else is there. `hidden`: for screen readers only.
 */
export type LabelLook = 'line' | 'brief' | 'block' | 'above' | 'beside' | 'hidden';

export interface FieldProps {
  label: string;
  /** What it does, in a line; an error replaces it. */
  hint?: Explanation;
  error?: string | undefined;
  /** Explains it on hover. */
  title?: string | undefined;
  /** A change applies to the open run immediately. */
  live?: boolean;
  look?: LabelLook;
  /** Whether the control needs more room than its label. */
  long?: boolean;
  /** What is at the right of the control, such as a button. */
  beside?: ReactNode;
}

/** The attributes that connect an input with its label and hint. */
export interface Described {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-label'?: string;
  title?: string | undefined;
}

interface LabelledProps extends FieldProps {
  children(described: Described): ReactNode;
}

/** A label, its control, and a hint or what is wrong. */
export function Labelled({
  label,
  hint,
  error,
  title,
  live = false,
  look = 'line',
  long = false,
  beside,
  children,
}: LabelledProps) {
  const { said: first, hasMore } = firstLayer(hint);
  // What is fetched when somebody asks stays behind its button.
  const said = error ?? (look === 'brief' && hasMore ? undefined : first);
  const described = useDescribed(error, said !== undefined);
  const name = <label htmlFor={described.id}>{label}</label>;
  const hintOf = (unseen: boolean) =>
    said !== undefined && (
      <Hint id={described['aria-describedby']} wrong={error !== undefined} unseen={unseen && !error}>
        {said}
      </Hint>
    );
  if (look === 'hidden') {
    return (
      <>
        {children({ ...described, 'aria-label': label, title })}
        {beside}
        {hintOf(true)}
      </>
    );
  }
  if (look === 'beside') {
    return (
      <div className="row soft">
        {name}
        {children({ ...described, title })}
        {beside}
        {hintOf(false)}
      </div>
    );
  }
  const isCaption = look === 'above';
  return (
    <div
      className={isCaption ? styles.above : styles.labelled}
      data-look={look}
      data-long={long || undefined}
      title={title}
    >
      {isCaption ? (
        name
      ) : (
        <span className={styles.name}>
          {name}
          {(look === 'brief' || hasMore) && <Explain of={label}>{hint}</Explain>}
        </span>
      )}
      <Control live={live && !isCaption}>
        {children(described)}
        {beside}
      </Control>
      {hintOf(look === 'brief')}
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
  id?: string | undefined;
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

/** The attributes of a control whose hint has an id that follows from its own. */
export function useDescribed(error: string | undefined, hinted = true): Described {
  const id = useId();
  return {
    id,
    'aria-describedby': hinted ? `${id}-hint` : undefined,
    'aria-invalid': error === undefined ? undefined : true,
  };
}

/** Marks a control that acts on an open run. */
export const mark = (live: boolean) =>
  live ? { 'data-live': true, title: 'Applies immediately, without a restart' } : {};
