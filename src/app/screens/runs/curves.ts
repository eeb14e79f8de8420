/** The curves of kept runs, which are read when they are shown. */
import { useEffect, useState } from 'react';
import { noPoints, thinned, type Points } from '../../../run/metrics/points.ts';
import { ask } from '../../client.ts';
import type { RunRecord } from '../../journal/record.ts';

/** By id. A run that trains has others after each save. */
const known = new Map<string, { kept: number; points: Points }>();

async function curvesOf({ id, kept }: RunRecord): Promise<Points> {
  const before = known.get(id);
  if (before?.kept === kept) return before.points;
  const answer = await ask((api) => api.runs.runCurves(id));
  const points = answer.ok ? thinned(answer.value) : noPoints();
  known.set(id, { kept, points });
  return points;
}

/** The curves of these runs, in their order; those that are being read are as before, or empty. */
export function useCurves(records: readonly RunRecord[]): readonly Points[] {
  const key = records.map(({ id, kept }) => `${id} ${kept}`).join();
  const [, setRead] = useState(0);
  useEffect(() => {
    let current = true;
    void Promise.all(records.map(curvesOf)).then(() => current && setRead((count) => count + 1));
    return () => void (current = false);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key says which runs there are
  }, [key]);
  return records.map(({ id }) => known.get(id)?.points ?? EMPTY);
}

const EMPTY = noPoints();
