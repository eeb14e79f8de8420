import type { MemoryKind, RunMemory } from '../../../../worker/api.ts';
import * as format from '../../../format.ts';
import { Facts } from '../../../widgets/Facts.tsx';
import { Hint } from '../../../widgets/Labelled.tsx';

const KINDS: Record<MemoryKind, string> = {
  activations: 'Activations',
  data: 'Images and labels',
  evaluation: 'Evaluation',
  parameters: 'Parameters',
  gradients: 'Gradients',
  states: 'Optimiser state',
  buffers: 'Running statistics',
  rest: 'Other',
};

type Fitting = Extract<RunMemory, { fits: true }>;

/** What a run needs memory for. */
export function MemoryParts({ kinds, recomputed }: Pick<Fitting, 'kinds' | 'recomputed'>) {
  const parts = (Object.keys(KINDS) as MemoryKind[]).filter((kind) => kinds[kind] > 0);
  return (
    <>
      <Facts of={parts.map((kind) => [KINDS[kind], format.memory(kinds[kind])])} />
      {recomputed > 0 && (
        <Hint>
          To fit in memory, {recomputed} dispatches per step are recomputed (gradient checkpointing).
        </Hint>
      )}
    </>
  );
}
