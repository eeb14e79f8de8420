import { useState } from 'react';
import type { Result } from '../../../base/result.ts';
import type { FoldReport } from '../../../worker/api.ts';
import { obstacleToDevice } from '../../actions/start.ts';
import { ask } from '../../client.ts';
import { Button } from '../../widgets/Button.tsx';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { model as texts } from '../../messages/en/model.tsx';
import styles from './Model.module.css';

/** Measures what folding batch norm into the layers before it gains, for a model that has batch norm. */
export function Folding() {
  const busy = useApp((state) => state.gpuTask === 'fold');
  const obstacle = useApp(
    (state) => obstacleToDevice(state) ?? (state.runId === 0 ? texts.fold.trainFirst : undefined),
  );
  const [answer, setAnswer] = useState<Result<FoldReport>>();
  const measure = async () => setAnswer(await ask((api) => api.builder.foldModel()));
  return (
    <div className={styles.folding}>
      <Button kind="quiet" obstacle={obstacle} title={texts.fold.title} onPress={() => void measure()}>
        {busy ? texts.fold.measuring : texts.fold.name}
      </Button>
      <p className="soft" role="status">
        {answer && (answer.ok ? reportOf(answer.value) : answer.error.message)}
      </p>
    </div>
  );
}

const reportOf = ({ layers, plainMs, foldedMs, batchSize, difference, step }: FoldReport) =>
  texts.fold.report({
    layers,
    times: `${(plainMs / foldedMs).toFixed(2)}×`,
    folded: format.time(foldedMs),
    plain: format.time(plainMs),
    images: batchSize,
    difference: difference.toExponential(0),
    step,
  });
