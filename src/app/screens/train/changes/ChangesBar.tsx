import { lazy, useEffect } from 'react';
import { followSettings, waitingChanges } from './changes.ts';
import { Later } from '../../../components/Later.tsx';
import { useApp } from '../../../state/store.ts';

const PendingChanges = lazy(async () => ({ default: (await import('./PendingChanges.tsx')).PendingChanges }));

/** Passes changes on to the open run, and shows those that cannot act on it. */
export function ChangesBar() {
  useEffect(followSettings, []);
  const words = useApp((state) => waitingChanges(state).join(', '));
  if (words === '') return null;
  return (
    <Later name="Pending changes">
      <PendingChanges words={words} />
    </Later>
  );
}
