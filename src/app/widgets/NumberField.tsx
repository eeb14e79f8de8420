import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react';
import { Labelled, type Described, type FieldProps } from './Labelled.tsx';
import { numberIn, type NumberRule } from './number-rule.ts';

interface ControlProps {
  rule: NumberRule;
  /** The last number that was accepted, as text; empty for none. */
  value: string;
  /** What an empty field stands for. */
  placeholder?: string;
  readOnly?: boolean;
  /** Receives numbers that the rule accepts, as text; empty for none. */
  onChange(value: string): void;
  /** Receives what is wrong with what is typed, and undefined once nothing is. */
  onError?(error: string | undefined): void;
}

/**
 * A number, with a label. What is typed stays until the field is left, which then shows the number that was understood.
 * Wrong input changes nothing: the error says which number is kept.
 */
export function NumberField({
  rule,
  value,
  placeholder,
  readOnly,
  onChange,
  onError,
  ...field
}: ControlProps & FieldProps) {
  const [said, setSaid] = useState<Said>({});
  const control = { rule, value, placeholder, readOnly, onChange, onError };
  return (
    <Labelled {...field} error={said.error ?? field.error} hint={said.understood ?? field.hint}>
      {(described) => <NumberControl {...control} {...described} onSay={setSaid} />}
    </Labelled>
  );
}

/** What a field says of what is typed. */
interface Said {
  error?: string | undefined;
  /** Where that may be something else than was meant. */
  understood?: string | undefined;
}

interface NumberControlProps extends ControlProps, Partial<Described> {
  onSay?(said: Said): void;
}

/** The field alone, for a label that several fields have in common. */
export function NumberControl({
  rule: { expected, accepts, whole },
  value,
  placeholder,
  onChange,
  onError,
  onSay,
  ...attributes
}: NumberControlProps) {
  const [draft, setDraft] = useState<{ text: string; over: string }>();
  // A value that changed since replaces it.
  const typed = draft?.over === value ? draft.text : undefined;
  const number = numberIn(typed ?? value);
  const isAccepted = accepts(number);
  const isWrong = typed !== undefined && !isAccepted;
  const found = typed?.trim() ? `, not ${typed.trim()}` : '';
  const kept = value === '' ? '' : ` Still ${value}.`;
  const error = isWrong ? `Enter ${expected}${found}.${kept}` : undefined;
  const isUnclear = !isWrong && typed !== undefined && /,|\.\d{3}/.test(typed) && typed !== String(number);
  const understood = isUnclear ? `Read as ${number}.` : undefined;
  const report = useEffectEvent((now: Said) => {
    onSay?.(now);
    onError?.(now.error);
  });
  useEffect(() => report({ error, understood }), [error, understood]);
  const forget = useEffectEvent(() => onError?.(undefined));
  useEffect(() => () => forget(), []);
  const write = (text: string) => {
    const next = numberIn(text);
    const isGood = accepts(next);
    const over = isGood ? String(next ?? '') : value;
    setDraft({ text, over });
    if (isGood && over !== value) onChange(over);
  };
  const count = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by === undefined || !whole) return;
    event.preventDefault();
    const next = (numberIn(value) ?? numberIn(placeholder ?? '') ?? 0) + by;
    if (accepts(next)) write(String(next));
  };
  return (
    <input
      {...attributes}
      aria-invalid={!isAccepted || attributes['aria-invalid']}
      type="text"
      inputMode={whole ? 'numeric' : 'decimal'}
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholder}
      value={typed ?? value}
      onChange={(event) => write(event.target.value)}
      onBlur={() => {
        if (!isWrong) setDraft(undefined);
      }}
      onKeyDown={count}
    />
  );
}
