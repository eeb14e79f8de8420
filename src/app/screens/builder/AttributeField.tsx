import { useState } from 'react';
import {
  isPaddingSetting,
  paddingPair,
  SIDES,
  type Padding,
  type PaddingSetting,
} from '../../../base/padding.ts';
import type { LayerAttribute } from '../../../worker/api.ts';
import { Labelled, type Described } from '../../widgets/Labelled.tsx';
import { inRange, numberIn } from '../../widgets/number-rule.ts';
import { NumberControl, NumberField } from '../../widgets/NumberField.tsx';
import { Select, SelectControl } from '../../widgets/Select.tsx';
import { Switch } from '../../widgets/Switch.tsx';
import { build as texts } from '../../messages/en/build.tsx';
import { renameLayer, setAttribute } from './build-store.ts';
import styles from './Build.module.css';
import { useModel } from './use-known.ts';

interface AttributeFieldProps {
  /** The layer's index. */
  at: number;
  kind: LayerAttribute;
  /** The worker's message, if the value is invalid. */
  error: string | undefined;
}

/** One attribute of a layer. Empty fields show the default as a placeholder. */
export function AttributeField({ at, kind, error }: AttributeFieldProps) {
  const { attributes = {} } = useModel().layers[at];
  // What is wrong with the numbers that are typed, by field.
  const [wrong, setWrong] = useState<Readonly<Record<string, string | undefined>>>({});
  const mark = (field: string, what: string | undefined) =>
    setWrong((before) => ({ ...before, [field]: what }));
  const typing = Object.values(wrong).find((one) => one !== undefined);
  const value = attributes[kind.name];
  const set = (next: unknown) => setAttribute(at, kind.name, next);
  const setting = { label: kind.title, hint: kind.hint, error: typing ?? error };
  switch (kind.kind) {
    case 'flag':
      return (
        <Switch
          {...setting}
          on={(value ?? kind.default) === true}
          onChange={(on) => set(on === kind.default ? undefined : on)}
        />
      );
    case 'choice':
      return (
        <Select
          {...setting}
          value={String(value ?? kind.default)}
          options={kind.of.map((option) => ({ value: option, title: option }))}
          onChange={(option) => set(option === kind.default ? undefined : option)}
        />
      );
    case 'whole':
    case 'number':
      return (
        <NumberField
          {...setting}
          value={textOf(value)}
          placeholder={textOf(kind.default)}
          rule={inRange({ ...kind, whole: kind.kind === 'whole', optional: kind.default !== undefined })}
          onChange={(text) => set(numberIn(text))}
        />
      );
    case 'padding':
    case 'pair': {
      const { follows, least = 0 } = kind.kind === 'pair' ? kind : {};
      const fallback = follows === undefined ? kind.default : attributes[follows];
      const Input = kind.kind === 'pair' ? PairInput : PaddingInput;
      return (
        <Labelled {...setting}>
          {(described) => (
            <Input
              {...{ described, value, fallback, least }}
              title={kind.title}
              onError={mark}
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
  /** Receives what is wrong with one of its fields. */
  onError(field: string, error: string | undefined): void;
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
  const rule = inRange({ whole: true, least, optional: fallback !== undefined });
  return (
    <span className={styles.pair}>
      <NumberControl
        {...described}
        aria-label={texts.inspector.vertical(title)}
        rule={rule}
        value={textOf(v)}
        placeholder={textOf(fallbackV)}
        onError={(error) => onError('vertical', error)}
        onChange={(text) => set(numberIn(text), v === h ? numberIn(text) : h)}
      />
      <span aria-hidden="true">×</span>
      <NumberControl
        {...second}
        aria-label={texts.inspector.horizontal(title)}
        rule={rule}
        value={textOf(h)}
        placeholder={textOf(fallbackH)}
        onError={(error) => onError('horizontal', error)}
        onChange={(text) => set(v ?? numberIn(text), numberIn(text))}
      />
    </span>
  );
}

/** How padding is stated. */
type PaddingStyle = keyof typeof texts.inspector.paddings;

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
      <SelectControl
        {...described}
        value={style}
        options={texts.inspector.paddings}
        onChange={(to) => onChange(inStyle(to, value))}
      />
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
              <NumberControl
                {...further}
                aria-label={`${title}, ${side}`}
                rule={inRange({ whole: true, least, optional: true })}
                value={String(sides[side])}
                placeholder="0"
                onError={(error) => onError(side, error)}
                onChange={(text) => onChange({ ...sides, [side]: numberIn(text) ?? 0 })}
              />
            </span>
          ))}
        </span>
      )}
    </span>
  );
}

/** A padding stated in another style, as far as that style can state it. */
function inStyle(style: PaddingStyle, value: unknown): PaddingSetting | undefined {
  if (style === 'same') return 'same';
  const sides = sidesOf(value);
  if (style === 'symmetric') return sides && (paddingPair(sides) ?? [sides.top, sides.left]);
  const [vertical, horizontal] = (pairOf(value) as [number, number] | undefined) ?? [0, 0];
  return { top: vertical, bottom: vertical, left: horizontal, right: horizontal };
}

const textOf = (value: unknown): string => String(value ?? '');

const pairOf = (value: unknown): [unknown, unknown] | undefined =>
  Array.isArray(value) && value.length === 2 ? [value[0], value[1]] : undefined;

/** Letters, digits, dots, dashes and underscores, as in models' files. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** The layer's name, the prefix of its parameters' names in files. */
export function NameField({ at }: { at: number }) {
  const { layers } = useModel();
  const [draft, setDraft] = useState<string>();
  const text = draft ?? layers[at].name;
  const errorOf = (name: string) => {
    if (!NAME.test(name)) return texts.inspector.badName;
    if (name === 'input' || name in {}) return texts.inspector.reserved;
    if (layers.some((layer, i) => i !== at && layer.name === name)) return texts.inspector.taken;
    return undefined;
  };
  const error = errorOf(text);
  return (
    <Labelled label={texts.head.name} hint={texts.inspector.nameHint} error={error}>
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
