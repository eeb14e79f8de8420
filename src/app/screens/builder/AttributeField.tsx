import { useState, type KeyboardEvent } from 'react';
import {
  isPaddingSetting,
  paddingPair,
  SIDES,
  type Padding,
  type PaddingSetting,
} from '../../../base/padding.ts';
import type { AttributeKind } from '../../../worker/api.ts';
import { Labelled, Switch, type Described } from '../../widgets/Labelled.tsx';
import { renameLayer, setAttribute } from './build-store.ts';
import styles from './Build.module.css';
import { useModel } from './use-known.ts';

interface AttributeFieldProps {
  /** The layer's index. */
  at: number;
  kind: AttributeKind;
  /** The worker's message, if the value is invalid. */
  error: string | undefined;
}

/** One attribute of a layer. Empty fields show the default as a placeholder. */
export function AttributeField({ at, kind, error }: AttributeFieldProps) {
  const { attributes = {} } = useModel().layers[at];
  // What is wrong with a number that is typed: the model keeps the one before.
  const [typing, setTyping] = useState<string>();
  const value = attributes[kind.name];
  const set = (next: unknown) => setAttribute(at, kind.name, next);
  const setting = { label: kind.title, hint: kind.hint, error: typing ?? error };
  switch (kind.kind) {
    case 'switch':
      return (
        <Switch
          {...setting}
          on={(value ?? kind.default) === true}
          onChange={(on) => set(on === kind.default ? undefined : on)}
        />
      );
    case 'choice':
      return (
        <Labelled {...setting}>
          {(described) => (
            <select
              {...described}
              value={String(value ?? kind.default)}
              onChange={(event) => set(event.target.value === kind.default ? undefined : event.target.value)}
            >
              {kind.options.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </select>
          )}
        </Labelled>
      );
    case 'whole':
    case 'number':
      return (
        <Labelled {...setting}>
          {(described) => (
            <NumberInput
              described={described}
              value={value}
              fallback={kind.default}
              required={kind.default === undefined}
              numbers={kind.kind === 'whole' ? { whole: true, least: kind.least } : { ...kind, whole: false }}
              onError={setTyping}
              onChange={set}
            />
          )}
        </Labelled>
      );
    case 'padding':
      return (
        <Labelled {...setting}>
          {(described) => (
            <PaddingInput
              described={described}
              title={kind.title}
              value={value}
              fallback={kind.default}
              least={0}
              onError={setTyping}
              onChange={set}
            />
          )}
        </Labelled>
      );
    case 'pair': {
      const followed = kind.follows === undefined ? kind.default : attributes[kind.follows];
      return (
        <Labelled {...setting}>
          {(described) => (
            <PairInput
              described={described}
              title={kind.title}
              value={value}
              fallback={followed}
              least={kind.least}
              onError={setTyping}
              onChange={set}
            />
          )}
        </Labelled>
      );
    }
  }
}

interface PairInputProps {
  described: Omit<Described, 'id'> & { id?: string };
  title: string;
  value: unknown;
  fallback: unknown;
  least: number;
  onError(error: string | undefined): void;
  onChange(value: unknown): void;
}

/** Vertical and horizontal. While both are equal, the first sets both. */
function PairInput({ described, title, value, fallback, least, onError, onChange }: PairInputProps) {
  const [v, h] = pairOf(value) ?? [];
  const [fallbackV, fallbackH] = pairOf(fallback) ?? [];
  const set = (vertical: unknown, horizontal: unknown) => {
    const pair = [vertical ?? fallbackV, horizontal ?? fallbackH];
    const none = vertical === undefined && horizontal === undefined;
    onChange(none || pair.some((one) => one === undefined) ? undefined : pair);
  };
  const { id: _, ...second } = described;
  const common = { required: fallback === undefined, numbers: { whole: true, least }, onError };
  return (
    <span className={styles.pair}>
      <NumberInput
        {...common}
        described={described}
        label={`${title}, vertical`}
        value={v}
        fallback={fallbackV}
        onChange={(next) => set(next, v === h ? next : h)}
      />
      <span aria-hidden="true">×</span>
      <NumberInput
        {...common}
        described={second}
        label={`${title}, horizontal`}
        value={h}
        fallback={fallbackH}
        onChange={(next) => set(v ?? next, next)}
      />
    </span>
  );
}

/** How padding is stated, in the words of the choice. */
const PADDING_STYLES = { symmetric: 'symmetric', same: 'same', sides: 'each side' } as const;

type PaddingStyle = keyof typeof PADDING_STYLES;

const paddingStyle = (value: unknown): PaddingStyle =>
  value === 'same' ? 'same' : sidesOf(value) ? 'sides' : 'symmetric';

const sidesOf = (value: unknown): Padding | undefined =>
  isPaddingSetting(value) && typeof value === 'object' && 'top' in value ? value : undefined;

const ARROWS: Readonly<Record<keyof Padding, string>> = { top: '↑', bottom: '↓', left: '←', right: '→' };

/** Rows and columns around the image: equal on opposite sides, on each side, or as many as preserve the size. */
function PaddingInput({ described, title, value, fallback, least, onError, onChange }: PairInputProps) {
  const style = paddingStyle(value);
  const { id: _, ...further } = described;
  const sides = sidesOf(value);
  return (
    <span className={styles.padding}>
      <select
        {...described}
        value={style}
        onChange={(event) => onChange(inStyle(event.target.value as PaddingStyle, value))}
      >
        {Object.entries(PADDING_STYLES).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
      {style === 'symmetric' && (
        <PairInput
          described={further}
          title={title}
          value={value}
          fallback={fallback}
          least={least}
          onError={onError}
          onChange={onChange}
        />
      )}
      {sides && (
        <span className={styles.sides}>
          {SIDES.map((side) => (
            <span key={side}>
              <span aria-hidden="true">{ARROWS[side]}</span>
              <NumberInput
                described={further}
                label={`${title}, ${side}`}
                value={sides[side]}
                fallback={0}
                required={false}
                numbers={{ whole: true, least }}
                onError={onError}
                onChange={(next) => onChange({ ...sides, [side]: next ?? 0 })}
              />
            </span>
          ))}
        </span>
      )}
    </span>
  );
}

/** The same padding in another style, as far as that can state it. */
function inStyle(style: PaddingStyle, value: unknown): PaddingSetting | undefined {
  if (style === 'same') return 'same';
  const sides = sidesOf(value);
  if (style === 'symmetric') return sides && (paddingPair(sides) ?? [sides.top, sides.left]);
  const [vertical, horizontal] = (pairOf(value) as [number, number] | undefined) ?? [0, 0];
  return { top: vertical, bottom: vertical, left: horizontal, right: horizontal };
}

const pairOf = (value: unknown): [unknown, unknown] | undefined =>
  Array.isArray(value) && value.length === 2 ? [value[0], value[1]] : undefined;

interface Numbers {
  whole: boolean;
  least: number;
  most?: number;
  /** `least` itself is not allowed. */
  above?: true;
}

/** "a whole number of at least 1", "a number from 0 to 1". */
const inWords = ({ whole, least, most, above }: Numbers): string => {
  const range =
    most === undefined || !Number.isFinite(most)
      ? `${above ? 'above' : 'of at least'} ${least}`
      : above
        ? `above ${least}, up to ${most}`
        : `from ${least} to ${most}`;
  return `a ${whole ? 'whole ' : ''}number ${range}`;
};

interface NumberInputProps {
  described: Omit<Described, 'id'> & { id?: string };
  label?: string;
  value: unknown;
  /** The value of an empty field. */
  fallback: unknown;
  /** It cannot be empty. */
  required: boolean;
  numbers: Numbers;
  /** Reports what is wrong with what is typed, and that it is no longer. */
  onError(error: string | undefined): void;
  onChange(value: number | undefined): void;
}

/**
 * A field for a number; arrow keys count up and down. Only numbers that are allowed change the model; anything else stays,
 * with what is wrong with it, until the field is left.
 */
function NumberInput({
  described,
  label,
  value,
  fallback,
  required,
  numbers,
  onError,
  onChange,
}: NumberInputProps) {
  const { whole, least, most = Infinity, above } = numbers;
  const shown = value === undefined ? '' : String(value);
  const [draft, setDraft] = useState<string>();
  const isAllowed = (number: number): boolean =>
    (!whole || Number.isInteger(number)) && number <= most && (above ? number > least : number >= least);
  const write = (text: string) => {
    const empty = text.trim() === '';
    const number = empty ? undefined : Number(text);
    const valid = number === undefined ? !required : Number.isFinite(number) && isAllowed(number);
    setDraft(valid && String(number ?? '') === text ? undefined : text);
    onError(valid ? undefined : `Enter ${inWords(numbers)}${empty ? '' : `, not ${text.trim()}`}.`);
    if (valid) onChange(number);
  };
  const count = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (by === 0 || !whole) return;
    event.preventDefault();
    const now = Number(value ?? fallback ?? 0);
    write(String(Math.max(least, (Number.isFinite(now) ? now : 0) + by)));
  };
  return (
    <input
      {...described}
      type="text"
      inputMode={whole ? 'numeric' : 'decimal'}
      autoComplete="off"
      spellCheck={false}
      aria-label={label}
      placeholder={fallback === undefined ? '' : String(fallback)}
      value={draft ?? shown}
      onChange={(event) => write(event.target.value)}
      onBlur={() => {
        setDraft(undefined);
        onError(undefined);
      }}
      onKeyDown={count}
    />
  );
}

/** Letters, digits, dots, dashes and underscores, as in models' files. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** The layer's name, the prefix of its parameters' names in files. */
export function NameField({ at }: { at: number }) {
  const { layers } = useModel();
  const [draft, setDraft] = useState<string>();
  const text = draft ?? layers[at].name;
  const errorOf = (name: string) => {
    if (!NAME.test(name)) return 'Use letters, digits, dots, dashes and underscores only.';
    if (name === 'input' || name in {}) return 'This name is reserved.';
    if (layers.some((layer, i) => i !== at && layer.name === name)) return 'Name already in use.';
    return undefined;
  };
  const error = errorOf(text);
  return (
    <Labelled label="Name" hint="Prefix of its parameter names. Dots group layers into blocks." error={error}>
      {(described) => (
        <input
          {...described}
          type="text"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target: { value } }) => {
            const valid = errorOf(value) === undefined;
            setDraft(valid ? undefined : value);
            if (valid) renameLayer(at, value);
          }}
          onBlur={() => setDraft(undefined)}
        />
      )}
    </Labelled>
  );
}
