import type { ComponentProps } from 'react';

/** The head of a column; anything else a table cell can have goes with it. */
interface Head extends ComponentProps<'th'> {
  name: string;
  /** Whether the name is for screen readers only. */
  unseen?: boolean;
  /** Whether the column holds numbers. */
  'data-number'?: boolean;
}

interface HeadsProps {
  /** From left to right. Anything that is not a head is left out. */
  of: readonly (string | Head | false | undefined)[];
}

/** The heads of a table's columns. */
export function Heads({ of }: HeadsProps) {
  const heads = of.flatMap((head) => (typeof head === 'string' ? { name: head } : head || []));
  return (
    <thead>
      <tr>
        {heads.map(({ name, unseen, children, ...rest }: Head, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- two columns may have one name
          <th key={i} scope="col" {...rest}>
            {unseen ? <span className="unseen">{name}</span> : name}
            {children}
          </th>
        ))}
      </tr>
    </thead>
  );
}
