import { createContext, use, useMemo, useState, type ReactNode } from 'react';

interface Selection {
  /** The kernel's place in the profile; undefined if none is selected. */
  selected: number | undefined;
  select(kernel: number | undefined): void;
}

const Context = createContext<Selection>({ selected: undefined, select: () => undefined });

/** The kernel that timeline, table and roofline point out together. */
export function SelectedKernel({ children }: { children: ReactNode }) {
  const [selected, select] = useState<number>();
  const value = useMemo(() => ({ selected, select }), [selected]);
  return <Context value={value}>{children}</Context>;
}

export const useSelection = (): Selection => use(Context);
