import { useState } from 'react';
import { Button } from '../../../widgets/Button.tsx';
import { Notice } from '../../../widgets/Notice.tsx';
import * as format from '../../../format.ts';
import { hasExploded } from '../../../metrics/exploded.ts';
import { useLiveValue } from '../../../metrics/use-live.ts';
import { useApp } from '../../../state/store.ts';
import { begin, obstacleToChanges } from './restart.ts';
import { changes as texts } from '../../../messages/changes.ts';

/** At the same learning rate it would happen again. */
const SLOWER = 10;

/** Warns of a run that has stopped learning because its weights exploded, with the way out. */
export function Exploded() {
  const lastEvaluation = useLiveValue((live) => live.lastEvaluation);
  const runId = useApp((state) => state.runId);
  // Dismissed for this run.
  const [dismissed, setDismissed] = useState<number>();
  const lr = useApp((state) => state.runConfig?.lr);
  const weightDecay = useApp((state) => state.runConfig?.weightDecay ?? 0);
  const change = useApp((state) => state.change);
  const obstacle = useApp(obstacleToChanges);
  const classes = useApp(
    (state) => state.datasets.find(({ name }) => name === state.runConfig?.dataset)?.classes.length ?? 0,
  );
  if (!lastEvaluation || lr === undefined || dismissed === runId) return null;
  if (!hasExploded(lastEvaluation, classes)) return null;
  const slower = Number((lr / SLOWER).toPrecision(6));
  return (
    <Notice
      kind="warning"
      title={texts.exploded.title}
      onDismiss={() => setDismissed(runId)}
      actions={
        <Button
          icon="restart"
          kind="primary"
          obstacle={obstacle}
          onPress={() => {
            change({ lr: String(slower) });
            void begin('restart');
          }}
        >
          {texts.exploded.restart(slower)}
        </Button>
      }
    >
      <p>
        {texts.exploded.explanation(
          format.loss(lastEvaluation.testLoss),
          format.loss(Math.log(classes)),
          weightDecay > 0,
        )}
      </p>
    </Notice>
  );
}
