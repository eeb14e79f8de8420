import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { AttributeKind } from '../../../worker/api.ts';
import { renameLayer, setAttribute } from './build-store.ts';
import styles from './Inspector.module.css';
import { useModel } from './use-known.ts';

interface AttributeFieldProps {
  /** The layer's place. */
  at: number;
  kind: AttributeKind;
  /** What the worker says of it. */
  error: string | undefined;
}

/** One thing that can be set of a layer. What it is by default stands in it greyed, and can be left so. */
export function AttributeField({ at, kind, error }: AttributeFieldProps) {
  const id = useId();
  const { attributes = {} } = useModel().layers[at];
  const value = attributes[kind.name];
  const set = (next: unknown) => setAttribute(at, kind.name, next);
  switch (kind.kind) {
    case 'switch':
      return (
        <div className={styles.check}>
          <input
            id={id}
            type="checkbox"
            checked={(value ?? kind.default) === true}
            aria-describedby={`${id}-hint`}
            onChange={(event) =>
              set(event.target.checked === kind.default ? undefined : event.target.checked)
            }
          />
          <label htmlFor={id}>{kind.title}</label>
          <Hint id={id} hint={kind.hint} error={error} />
        </div>
      );
    case 'choice':
      return (
        <Labelled id={id} kind={kind} error={error}>
          <select
            id={id}
            value={String(value ?? kind.default)}
            onChange={(event) => set(event.target.value === kind.default ? undefined : event.target.value)}
          >
            {kind.options.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </select>
        </Labelled>
      );
    case 'whole':
    case 'number':
      return (
        <Labelled id={id} kind={kind} error={error}>
          <NumberInput
            id={id}
            value={value}
            usual={kind.default}
            whole={kind.kind === 'whole'}
            invalid={error !== undefined}
            onChange={set}
          />
        </Labelled>
      );
    case 'pair': {
      const followed = kind.follows === undefined ? kind.default : attributes[kind.follows];
      return <PairField id={id} kind={kind} value={value} usual={followed} error={error} onChange={set} />;
    }
  }
}

interface PairFieldProps {
  id: string;
  kind: AttributeKind;
  value: unknown;
  usual: unknown;
  error: string | undefined;
  onChange(value: unknown): void;
}

/** Vertical and horizontal. While both are equal, the first sets both. */
function PairField({ id, kind, value, usual, error, onChange }: PairFieldProps) {
  const [v, h] = pairOf(value) ?? [];
  const [usualV, usualH] = pairOf(usual) ?? [];
  const set = (vertical: unknown, horizontal: unknown) => {
    const pair = [vertical ?? usualV, horizontal ?? usualH];
    const none = vertical === undefined && horizontal === undefined;
    onChange(none || pair.some((one) => one === undefined) ? undefined : pair);
  };
  const common = { whole: true, invalid: error !== undefined };
  return (
    <Labelled id={id} kind={kind} error={error}>
      <span className={styles.pair}>
        <NumberInput
          id={id}
          label={`${kind.title}, vertical`}
          value={v}
          usual={usualV}
          {...common}
          onChange={(next) => set(next, v === h ? next : h)}
        />
        <span aria-hidden="true">×</span>
        <NumberInput
          label={`${kind.title}, horizontal`}
          value={h}
          usual={usualH}
          {...common}
          onChange={(next) => set(v ?? next, next)}
        />
      </span>
    </Labelled>
  );
}

const pairOf = (value: unknown): [unknown, unknown] | undefined =>
  Array.isArray(value) && value.length === 2 ? [value[0], value[1]] : undefined;

interface NumberInputProps {
  id?: string;
  label?: string;
  value: unknown;
  /** What it is if nothing is written. */
  usual: unknown;
  whole: boolean;
  invalid: boolean;
  onChange(value: number | undefined): void;
}

/** A number to type; arrows up and down count. What is half typed stays as it is. */
function NumberInput({ id, label, value, usual, whole, invalid, onChange }: NumberInputProps) {
  const shown = value === undefined ? '' : String(value);
  const [draft, setDraft] = useState<string>();
  const read = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text));
  const write = (text: string) => {
    const number = read(text);
    const right = number === undefined || (Number.isFinite(number) && (!whole || Number.isInteger(number)));
    setDraft(right && String(number ?? '') === text ? undefined : text);
    if (right) onChange(number);
  };
  const count = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (by === 0 || !whole) return;
    event.preventDefault();
    const now = Number(value ?? usual ?? 0);
    write(String(Math.max(0, (Number.isFinite(now) ? now : 0) + by)));
  };
  return (
    <input
      id={id}
      type="text"
      inputMode={whole ? 'numeric' : 'decimal'}
      autoComplete="off"
      spellCheck={false}
      aria-label={label}
      aria-invalid={invalid || (draft !== undefined && !Number.isFinite(read(draft) ?? 0)) || undefined}
      aria-describedby={id && `${id}-hint`}
      placeholder={usual === undefined ? '' : String(usual)}
      value={draft ?? shown}
      onChange={(event) => write(event.target.value)}
      onBlur={() => setDraft(undefined)}
      onKeyDown={count}
    />
  );
}

/** Letters, digits, dots, dashes and underscores, as in models' files. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** The layer's name, which its parameters have in files. */
export function NameField({ at }: { at: number }) {
  const id = useId();
  const { layers } = useModel();
  const [draft, setDraft] = useState<string>();
  const text = draft ?? layers[at].name;
  const wrong = (name: string) => {
    if (!NAME.test(name)) return 'Letters, digits, dots, dashes and underscores.';
    if (name === 'input' || name in {}) return 'This name has another meaning.';
    if (layers.some((layer, i) => i !== at && layer.name === name)) return 'Another layer has this name.';
    return undefined;
  };
  const error = wrong(text);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Name</label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        spellCheck={false}
        value={text}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={`${id}-hint`}
        onChange={({ target: { value } }) => {
          const right = wrong(value) === undefined;
          setDraft(right ? undefined : value);
          if (right) renameLayer(at, value);
        }}
        onBlur={() => setDraft(undefined)}
      />
      <Hint id={id} hint="Its parameters are called after it. Dots make blocks." error={error} />
    </div>
  );
}

interface LabelledProps {
  id: string;
  kind: AttributeKind;
  error: string | undefined;
  children: ReactNode;
}

const Labelled = ({ id, kind, error, children }: LabelledProps) => (
  <div className={styles.field}>
    <label htmlFor={id}>{kind.title}</label>
    {children}
    <Hint id={id} hint={kind.hint} error={error} />
  </div>
);

const Hint = ({ id, hint, error }: { id: string; hint: string; error: string | undefined }) => (
  <p id={`${id}-hint`} className={error ? styles.error : styles.hint}>
    {error ?? hint}
  </p>
);
