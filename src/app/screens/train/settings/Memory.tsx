import { useEffect, useState } from 'react';
import type { RunConfig, RunMemory } from '../../../../worker/api.ts';
import { chosenSettings } from '../../../actions/start.ts';
import { ask } from '../../../client.ts';
import { later } from '../../../components/later.tsx';
import { Button } from '../../../widgets/Button.tsx';
import { Hint } from '../../../widgets/Labelled.tsx';
import * as format from '../../../format.ts';
import { budgetHere } from '../../../state/memory-budget.ts';
import { modelKey } from '../../../state/own-model.ts';
import { runIsOpen } from '../../../state/run.ts';
import { useApp } from '../../../state/store.ts';
import { useAnswer } from '../../../components/use-answer.ts';
import { train as texts } from '../../../messages/en/train.tsx';
import styles from './Settings.module.css';

const MemoryParts = later('Memory', async () => (await import('./MemoryParts.tsx')).MemoryParts);

/** What the next run needs of the GPU's memory; where it does not fit, the batch that does. */
export function Memory() {
  const change = useApp((state) => state.change);
  const [open, setOpen] = useState(false);
  const { memory, pending } = useRunMemory();
  const budget = useApp(({ adapter }) => adapter && budgetHere(adapter.limits));
  const needed = memory?.fits ? memory.bytes : 0;
  useEffect(() => {
    const tightMemory = budget !== undefined && needed > budget ? { bytes: needed, budget } : undefined;
    useApp.setState({ tightMemory });
  }, [needed, budget]);
  if (!memory) return <p className={`soft ${styles.need}`}>{pending && texts.memory.estimating}</p>;
  if (!memory.fits) {
    const { largestBatch } = memory;
    return (
      <div className={styles.mend} aria-busy={pending}>
        <Hint wrong announced>
          {texts.memory.tooMuch}{' '}
          {largestBatch === undefined ? texts.memory.smallerModel : texts.memory.largest(largestBatch)}
        </Hint>
        {largestBatch !== undefined && (
          <Button onPress={() => change({ batchSize: String(largestBatch) })}>
            {texts.memory.use(largestBatch)}
          </Button>
        )}
      </div>
    );
  }
  const { bytes } = memory;
  return (
    <details
      className={`soft ${styles.need}`}
      aria-busy={pending}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {budget !== undefined && bytes > budget
          ? texts.memory.tight(format.memory(bytes), format.memory(budget))
          : texts.memory.needed(format.memory(bytes))}
      </summary>
      {open && <MemoryParts {...memory} />}
    </details>
  );
}

/** The last answer stays while the next one is pending, and while a run is open. */
function useRunMemory(): { memory: RunMemory | undefined; pending: boolean } {
  const [shown, setShown] = useState<RunMemory>();
  const connects = useApp(({ device }) => device === 'connecting');
  const key = useApp((state) => {
    if (state.device !== 'ready' || (shown && runIsOpen(state.runState))) return undefined;
    const { config } = chosenSettings(state);
    if (!config) return undefined;
    const pins = state.pins[modelKey(config.model)] ?? [];
    // A run that failed for want of memory has taught how much there is.
    return JSON.stringify([{ ...config, pins: [...pins] }, state.runState === 'failed']);
  });
  const answer = useAnswer(key, () => {
    const [config] = JSON.parse(key ?? '[]') as [RunConfig];
    return ask((api) => api.train.memory(config));
  });
  if (answer?.ok && answer.value !== shown) setShown(answer.value);
  // If the estimate fails, the field that is wrong shows the error.
  return {
    memory: answer?.ok === false ? undefined : shown,
    pending: key === undefined ? connects : answer === undefined,
  };
}
