import { useEffect, useState } from 'react';
import { allEpochsCompleted } from '../../actions/actions.ts';
import { useLiveValue } from '../../metrics/use-live.ts';
import { payoff as texts } from '../../messages/payoff.ts';
import { usePad } from '../../pad/pad-store.ts';
import { usePresenting } from '../../presenting.ts';
import { hrefOf } from '../../route.ts';
import { useApp } from '../../state/store.ts';
import { Callout } from '../../widgets/Notice.tsx';

/** From this test accuracy on, a network does well: on data with several classes. */
const GREAT = 0.95;
const SEVERAL = 3;

export type Milestone = 'first' | 'great' | 'end';

/** How far a run has come that was tested. */
export function milestoneOf(accuracy: number, classes: number, isCompleted: boolean): Milestone {
  if (isCompleted) return 'end';
  return accuracy >= GREAT && classes >= SEVERAL ? 'great' : 'first';
}

/** What the run's network said of an image, and when. */
interface Answer {
  runId: number;
  image: Uint8Array;
  step: number;
  class: number;
}

/** What the run's network says of the image on the pad, and what it said of it first. */
function useAnswers(): { first: Answer; now: Answer } | undefined {
  const runId = useApp((state) => state.runId);
  const { image, prediction, network } = usePad();
  const [first, setFirst] = useState<Answer>();
  const now: Answer | undefined =
    image && network === 'run' && prediction && 'step' in prediction
      ? {
          runId,
          image,
          step: prediction.step,
          class: prediction.probabilities.indexOf(Math.max(...prediction.probabilities)),
        }
      : undefined;
  const isNew = now !== undefined && (first?.runId !== runId || first.image !== image);
  useEffect(() => {
    if (isNew) setFirst(now);
    // Only the first answer for an image counts.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isNew]);
  return first && now && !isNew ? { first, now } : undefined;
}

/** What the network can do now, after its first test, when it does well, and at the end; until dismissed, each once. */
export function Payoff() {
  const last = useLiveValue((live) => live.lastEvaluation);
  const runId = useApp((state) => state.runId);
  const isCompleted = useApp(allEpochsCompleted);
  const classes = useApp(
    (state) => state.datasets.find(({ name }) => name === state.runConfig?.dataset)?.classes,
  );
  const inTrouble = useApp((state) => state.trouble !== undefined || state.runState === 'failed');
  const presenting = usePresenting();
  const answers = useAnswers();
  const [dismissed, setDismissed] = useState('');
  if (!last || !classes || inTrouble || presenting) return null;
  const milestone = milestoneOf(last.testAccuracy, classes.length, isCompleted);
  const key = `${runId} ${milestone}`;
  if (dismissed === key) return null;
  const { first, now } = answers ?? {};
  return (
    <section aria-label={texts.label}>
      <Callout
        kind="info"
        title={texts.titles[milestone]}
        actions={<a href={hrefOf('inspect', 'mistakes')}>{texts.mistakes}</a>}
        onDismiss={() => setDismissed(key)}
      >
        <p>{texts.reads(Math.round(100 * last.testAccuracy), classes[0] === '0')}</p>
        {first && now && now.step > first.step && (
          <p>{texts.yours(classes[first.class], first.step, classes[now.class])}</p>
        )}
      </Callout>
    </section>
  );
}
