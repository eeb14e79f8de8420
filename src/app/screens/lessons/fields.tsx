/** The fields of the lesson editor. */
import { useState } from 'react';
import { Labelled } from '../../widgets/Labelled.tsx';

interface FieldProps<T> {
  label: string;
  value: T;
  onChange(value: T): void;
}

/**
 * A value as text while somebody types: as typed for as long as it means the value, which may have other spellings on the way.
 * @param read and write turn text into the value and back
 */
function useTyped<T>(
  { value, onChange }: FieldProps<T>,
  read: (text: string) => T,
  write: (value: T) => string,
) {
  const [typed, setTyped] = useState(() => write(value));
  return {
    text: write(read(typed)) === write(value) ? typed : write(value),
    type(text: string) {
      setTyped(text);
      onChange(read(text));
    },
  };
}

export const Line = ({ label, value, onChange }: FieldProps<string>) => (
  <Labelled label={label} look="above">
    {(described) => (
      <input {...described} type="text" value={value} onChange={({ target }) => onChange(target.value)} />
    )}
  </Labelled>
);

/** Several texts in one field, with an empty line between them, or each on its line. */
export function Paragraphs({ between = '\n\n', ...field }: FieldProps<string[]> & { between?: string }) {
  const { text, type } = useTyped(
    field,
    (given) =>
      given
        .split(between)
        .map((one) => one.trim())
        .filter(Boolean),
    (texts) => texts.join(between),
  );
  return (
    <Labelled label={field.label} look="above">
      {(described) => (
        <textarea
          {...described}
          rows={Math.min(8, 2 + text.split('\n').length)}
          value={text}
          onChange={({ target }) => type(target.value)}
        />
      )}
    </Labelled>
  );
}

/** A number, or nothing. */
export function NumberLine(field: FieldProps<number | undefined>) {
  const { text, type } = useTyped(
    field,
    (given) => {
      const number = Number(given.replace(',', '.'));
      return given.trim() === '' || Number.isNaN(number) ? undefined : number;
    },
    (number) => (number === undefined ? '' : String(number)),
  );
  return (
    <Labelled label={field.label} look="above">
      {(described) => (
        <input
          {...described}
          type="text"
          inputMode="decimal"
          size={6}
          value={text}
          onChange={({ target }) => type(target.value)}
        />
      )}
    </Labelled>
  );
}

interface PickProps extends FieldProps<string> {
  options: readonly string[];
  titleOf?: (name: string) => string;
}

/** One of several names, each of which is offered once. */
export const Pick = ({ label, value, options, titleOf = (name) => name, onChange }: PickProps) => (
  <Labelled label={label} look="above">
    {(described) => (
      <select {...described} value={value} onChange={({ target }) => onChange(target.value)}>
        {[...new Set(options)].map((name) => (
          <option key={name} value={name}>
            {titleOf(name)}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);
