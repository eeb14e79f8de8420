import { useEffect } from 'react';
import { followSettings, waitingChanges } from './changes.ts';
import { later } from '../../../components/later.tsx';
import { useApp } from '../../../state/store.ts';

const PendingChanges = later(
  'Pending changes',
  async () => (await import('./PendingChanges.tsx')).PendingChanges,
);

/** Passes changes on to the open run, and shows those that cannot act on it. */
export function ChangesBar() {
  useEffect(followSettings, []);
  const words = useApp((state) => waitingChanges(state).join(', '));
  if (words === '') return null;
  return <PendingChanges words={words} />;
}
