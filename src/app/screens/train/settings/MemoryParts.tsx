import type { MemoryKind, RunMemory } from '../../../../worker/api.ts';
import * as format from '../../../format.ts';
import { Facts } from '../../../widgets/Facts.tsx';
import { Hint } from '../../../widgets/Labelled.tsx';
import { settings as texts } from '../../../messages/en/settings.tsx';

type Fitting = Extract<RunMemory, { fits: true }>;

/** What a run needs memory for. */
export function MemoryParts({ kinds, recomputed }: Pick<Fitting, 'kinds' | 'recomputed'>) {
  const parts = (Object.keys(texts.memory) as MemoryKind[]).filter((kind) => kinds[kind] > 0);
  return (
    <>
      <Facts of={parts.map((kind) => [texts.memory[kind], format.memory(kinds[kind])])} />
      {recomputed > 0 && <Hint>{texts.recomputed(recomputed)}</Hint>}
    </>
  );
}
