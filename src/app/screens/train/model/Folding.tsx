import { useState } from 'react';
import type { Result } from '../../../../base/result.ts';
import type { FoldReport, ModelEntry } from '../../../../worker/api.ts';
import { ask } from '../../../client.ts';
import { Button } from '../../../components/Button.tsx';
import * as format from '../../../format.ts';
import { useApp } from '../../../state/store.ts';
import styles from './ModelPanel.module.css';

/** What it gains to answer with batch normalisation made part of the layers before it. For models that have any. */
export function Folding({ model }: { model: Pick<ModelEntry, 'layers'> }) {
  const hasRun = useApp((state) => state.runId > 0 && state.runState !== 'preparing');
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Result<FoldReport>>();
  if (!model.layers.some(({ title }) => title === 'Batch normalisation')) return null;
  const measure = async () => {
    setBusy(true);
    setAnswer(await ask((api) => api.foldModel()));
    setBusy(false);
  };
  const obstacle = hasRun ? undefined : 'There is no trained model yet. Press Train first.';
  return (
    <div className={styles.folding}>
      <Button
        kind="quiet"
        obstacle={busy ? 'It is being measured.' : obstacle}
        title="For answers alone, batch normalisation can become part of the layers before it."
        onPress={() => void measure()}
      >
        {busy ? 'Measuring…' : 'Fold for answers'}
      </Button>
      <p className={styles.gain} role="status">
        {answer && (answer.ok ? words(answer.value) : answer.error.message)}
      </p>
    </div>
  );
}

const words = ({ layers, plainMs, foldedMs, batchSize, difference, step }: FoldReport) =>
  `Folded, without ${layers} layers: ${(plainMs / foldedMs).toFixed(2)} times as fast, ` +
  `${format.time(foldedMs)} instead of ${format.time(plainMs)} for ${batchSize} images. ` +
  `After ${format.count(step)} steps the answers differ by at most ${difference.toExponential(0)} of the largest.`;
