import { useEffect } from 'react';
import { useLiveValue } from '../../../metrics/use-live.ts';
import { useApp } from '../../../state/store.ts';
import { followSettings, waitingChanges } from './changes.ts';
import { ChangesListed } from './ChangesListed.tsx';
import { PendingChanges } from './PendingChanges.tsx';

/** Passes changes on to the open run, and shows those that cannot act on it. */
export function ChangesBar() {
  useEffect(followSettings, []);
  const words = useApp((state) => waitingChanges(state).join(', '));
  return words !== '' && <PendingChanges words={words} />;
}

/** The settings that changed during the run, if any, and the run that it was forked from. */
export function ChangesList() {
  const changed = useLiveValue((live) => (live.changes?.adjustments.length ?? 0) > 0);
  const forked = useApp((state) => state.runConfig?.start !== undefined);
  return (changed || forked) && <ChangesListed />;
}
