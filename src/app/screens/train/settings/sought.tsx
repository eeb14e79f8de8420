/** Leads to the field of a setting that is invalid. What hides the field shows it before the field takes the focus. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useApp } from '../../../state/store.ts';

/** Calls `show` with the name of each setting that is sought, before its field is drawn. */
export function useSought(show: (name: string) => void): void {
  const sought = useApp((state) => state.sought);
  const [last, setLast] = useState(sought);
  if (sought === last) return;
  setLast(sought);
  if (sought) show(sought.name);
}

/** The field of a setting, which takes the focus when it is sought. */
export function Sought({ name, children }: { name: string; children: ReactNode }) {
  const sought = useApp((state) => (state.sought?.name === name ? state.sought : undefined));
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const field = sought && place.current?.querySelector<HTMLElement>('input, select');
    if (!field) return;
    field.scrollIntoView({ block: 'center' });
    field.focus({ preventScroll: true });
    useApp.setState({ sought: undefined });
  }, [sought]);
  return (
    <div ref={place} data-setting={name}>
      {children}
    </div>
  );
}
