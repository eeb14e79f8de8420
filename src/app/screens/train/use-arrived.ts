import { useState } from 'react';
import { usePad } from '../../pad/pad-store.ts';
import { useApp } from '../../state/store.ts';

/** Whether the pad has been answered, or a run could start: what only shows something is fetched after that. */
export function useArrived(): boolean {
  const answered = usePad((state) => state.prediction !== undefined);
  const ready = useApp((state) => state.device !== 'connecting');
  const [arrived, setArrived] = useState(false);
  if ((answered || ready) && !arrived) setArrived(true);
  return arrived;
}
