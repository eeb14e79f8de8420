import type { ReactNode } from 'react';
import { Labelled } from '../../../components/Labelled.tsx';

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
  return (
    <Labelled label={label} hint={hint} error={error} live={live}>
      {(described) => (
        <>
          <input
            {...described}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          {beside}
        </>
      )}
    </Labelled>
  );
}
