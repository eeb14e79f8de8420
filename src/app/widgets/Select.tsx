import { Labelled, type Described, type FieldProps } from './Labelled.tsx';

export interface SelectOption<Value extends string = string> {
  value: Value;
  title: string;
  /** Neighbours of one group have its name above them. */
  group?: string | undefined;
  disabled?: boolean;
}

interface ControlProps<Value extends string> {
  value: NoInfer<Value>;
  /** In order: a list, or the title of each. Absent ones are left out. */
  options: Readonly<Record<Value, string>> | readonly (SelectOption<Value> | false | undefined)[];
  disabled?: boolean;
  onChange(value: NoInfer<Value>): void;
}

const isList = <Item,>(options: object | readonly Item[]): options is readonly Item[] =>
  Array.isArray(options);

/** One of a list of options, with a label. */
export function Select<Value extends string>({
  value,
  options,
  disabled,
  onChange,
  ...field
}: ControlProps<Value> & FieldProps) {
  const control = { value, options, disabled, onChange };
  return <Labelled {...field}>{(described) => <SelectControl {...control} {...described} />}</Labelled>;
}

/** The list alone, for a label that several controls have in common. */
export function SelectControl<Value extends string>({
  value,
  options,
  onChange,
  ...attributes
}: ControlProps<Value> & Partial<Described>) {
  const list: readonly SelectOption<Value>[] = isList(options)
    ? options.filter((option) => option !== undefined && option !== false)
    : Object.entries<string>(options).map(([name, title]) => ({ value: name as Value, title }));
  const optionOf = (option: SelectOption<Value>) => (
    <option key={option.value} value={option.value} disabled={option.disabled}>
      {option.title}
    </option>
  );
  return (
    <select {...attributes} value={value} onChange={(event) => onChange(event.target.value as Value)}>
      {list.map((option, i) => {
        const { group } = option;
        if (group === undefined) return optionOf(option);
        if (i > 0 && list[i - 1].group === group) return null;
        const next = list.findIndex((other, j) => j > i && other.group !== group);
        return (
          <optgroup key={`group ${i}`} label={group}>
            {list.slice(i, next < 0 ? undefined : next).map(optionOf)}
          </optgroup>
        );
      })}
    </select>
  );
}
