/** The fields of the lesson editor. */
import { useState } from 'react';
import { Labelled } from '../../widgets/Labelled.tsx';
import { numberIn, type NumberRule } from '../../widgets/number-rule.ts';
import { NumberField } from '../../widgets/NumberField.tsx';

interface FieldProps<T> {
  label: string;
  value: T;
  onChange(value: T): void;
}

export const Line = ({ label, value, onChange }: FieldProps<string>) => (
  <Labelled label={label} look="above">
    {(described) => (
      <input {...described} type="text" value={value} onChange={({ target }) => onChange(target.value)} />
    )}
  </Labelled>
);

/** Several texts in one field, with an empty line between them, or each on its line. What is typed stays while it means them. */
export function Paragraphs({
  label,
  value,
  between = '\n\n',
  onChange,
}: FieldProps<string[]> & { between?: string }) {
  const [typed, setTyped] = useState(value.join(between));
  const read = (text: string) =>
    text
      .split(between)
      .map((one) => one.trim())
      .filter(Boolean);
  const text = read(typed).join(between) === value.join(between) ? typed : value.join(between);
  return (
    <Labelled label={label} look="above">
      {(described) => (
        <textarea
          {...described}
          rows={Math.min(8, 2 + text.split('\n').length)}
          value={text}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(read(target.value));
          }}
        />
      )}
    </Labelled>
  );
}

/** A number, or nothing. */
export const NumberLine = ({ label, value, onChange }: FieldProps<number | undefined>) => (
  <NumberField
    look="above"
    label={label}
    rule={ANY_NUMBER}
    value={value === undefined ? '' : String(value)}
    onChange={(text) => onChange(numberIn(text))}
  />
);

const ANY_NUMBER: NumberRule = {
  expected: 'a number',
  accepts: (value) => value === undefined || Number.isFinite(value),
};

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
