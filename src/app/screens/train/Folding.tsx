import { useState } from 'react';
import type { Result } from '../../../base/result.ts';
import type { FoldReport } from '../../../worker/api.ts';
import { obstacleToDevice } from '../../actions/start.ts';
import { ask } from '../../client.ts';
import { Button } from '../../widgets/Button.tsx';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import styles from './Model.module.css';

/** Measures what folding batch norm into the layers before it gains, for a model that has batch norm. */
export function Folding() {
  const busy = useApp((state) => state.gpuTask === 'fold');
  const obstacle = useApp(
    (state) => obstacleToDevice(state) ?? (state.runId === 0 ? 'Train the model first.' : undefined),
  );
  const [answer, setAnswer] = useState<Result<FoldReport>>();
  const measure = async () => setAnswer(await ask((api) => api.foldModel()));
  return (
    <div className={styles.folding}>
      <Button
        kind="quiet"
        obstacle={obstacle}
        title="For inference, batch normalisation can be merged into the layers before it. Measure the speed-up."
        onPress={() => void measure()}
      >
        {busy ? 'Measuring…' : 'Fold batch norm'}
      </Button>
      <p className="soft" role="status">
        {answer && (answer.ok ? reportOf(answer.value) : answer.error.message)}
      </p>
    </div>
  );
}

const reportOf = ({ layers, plainMs, foldedMs, batchSize, difference, step }: FoldReport) =>
  `${layers} batch norm layers folded: inference ${(plainMs / foldedMs).toFixed(2)}× as fast, ` +
  `${format.time(foldedMs)} instead of ${format.time(plainMs)} for ${batchSize} images. ` +
  `Outputs differ by at most ${difference.toExponential(0)} (relative), at step ${format.count(step)}.`;
