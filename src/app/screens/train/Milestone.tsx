import { useEffect, useState } from 'react';
import * as format from '../../format.ts';
import { testedOn } from '../../journal/record.ts';
import { useLiveValue } from '../../metrics/use-live.ts';
import { milestone as texts } from '../../messages/en/milestone.tsx';
import { usePad } from '../../pad/pad-store.ts';
import { usePresenting } from '../../presenting.ts';
import { hrefOf } from '../../route.ts';
import { runStanding } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import { Button } from '../../widgets/Button.tsx';
import styles from './Train.module.css';

/** From this test accuracy on, a network does well: on data with several classes. */
const GREAT = 0.95;
const SEVERAL = 3;
/** Fewer are counted, because a share of them says too much. */
const FEW = 100;

type MilestoneKind = 'first' | 'great' | 'end';

/** How far a run has come that was tested. */
export function milestoneOf(accuracy: number, classes: number, isCompleted: boolean): MilestoneKind {
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

/** How many of the images are right. */
const amountOf = (accuracy: number, images: number): string =>
  images < FEW
    ? texts.few(Math.round(accuracy * images), images)
    : texts.share(format.accuracy(accuracy, images), images);

/**
 * What the network can do now, after its first test, when it does well, and at the end, and what to do next; until
 * dismissed, each once.
 */
export function Milestone() {
  const last = useLiveValue((live) => live.lastEvaluation);
  const runId = useApp((state) => state.runId);
  const standing = useApp(runStanding);
  const dataset = useApp((state) => state.datasets.find(({ name }) => name === state.runConfig?.dataset));
  const inTrouble = useApp((state) => state.trouble !== undefined || state.runState === 'failed');
  const presenting = usePresenting();
  const answers = useAnswers();
  const [dismissed, setDismissed] = useState('');
  if (!last || !dataset || inTrouble || presenting) return null;
  const { classes, counts } = dataset;
  const hasEnded = standing === 'finished' || standing === 'stoppedEarly';
  const milestone = milestoneOf(last.testAccuracy, classes.length, hasEnded);
  const images = testedOn(last) ?? counts.test;
  const key = `${runId} ${milestone}`;
  if (dismissed === key) return null;
  const { first, now } = answers ?? {};
  return (
    <section className={styles.milestone} aria-label={texts.label}>
      <div>
        <p className="soft">
          {milestone === 'first' ? texts.titles.epochs(last.epoch) : texts.titles[milestone]}
        </p>
        <p className={styles.success}>
          {texts.reads(amountOf(last.testAccuracy, images), classes[0] === '0')}
        </p>
        {first && now && now.step > first.step && (
          <p className="soft">{texts.yours(classes[first.class], first.step, classes[now.class])}</p>
        )}
      </div>
      <a href={hrefOf('inspect', 'mistakes')}>{texts.mistakes}</a>
      <a href={hrefOf('lessons')}>{texts.lessons}</a>
      <Button kind="quiet" icon="close" className="iconic" onPress={() => setDismissed(key)}>
        {texts.dismiss}
      </Button>
    </section>
  );
}
