import { useEffect, useState } from 'react';
import { throttled } from '../../base/throttled.ts';
import { ask } from '../client.ts';
import { comment as texts } from '../messages/en/comment.tsx';
import { useApp } from '../state/store.ts';
import { padDataset } from './pad-dataset.ts';
import { usePad } from './pad-store.ts';
import { boxOfImage, boxOfStrokes, remarksOf, type Remark } from './remarks.ts';
import { knowsTrained, targetOf } from './target.ts';

/** How often the familiarity of what is being drawn is asked for, at most: a comment is read, not watched. */
const ASK_EVERY_MS = 400;

interface CommentProps {
  classes: readonly string[];
}

/** What there is to say about the pad's answer, in words. */
export function Comment({ classes }: CommentProps) {
  const image = usePad((state) => state.image);
  const source = usePad((state) => state.source);
  const strokes = usePad((state) => state.strokes);
  const prediction = usePad((state) => state.prediction);
  const isDigits = useApp((state) => knowsTrained(targetOf(padDataset(state))));
  const strangeness = useStrangeness();
  if (!image || !prediction) return null;
  const isDrawn = source === 'drawing';
  const box =
    !isDigits || source === 'sample' ? undefined : isDrawn ? boxOfStrokes(strokes) : boxOfImage(image);
  const { probabilities } = prediction;
  return remarksOf({ probabilities, strangeness, box, isDrawn })
    .map((remark) => textOf(remark, classes))
    .join(' ');
}

function textOf(remark: Remark, classes: readonly string[]): string {
  const named = (place: number) => classes[place] ?? String(place);
  if (remark.about === 'hesitates')
    return texts.hesitates(named(remark.best), named(remark.second), remark.shares);
  if (remark.about === 'unfamiliar') return texts.unfamiliar(named(remark.best), remark.share);
  if (remark.about === 'dot') return texts.dot(remark.share);
  return texts[remark.about];
}

/** How unlike the training images the image on the pad is to the network that answers; undefined while that is not known. */
function useStrangeness(): number | undefined {
  const [strangeness, setStrangeness] = useState<number>();
  useEffect(() => {
    let gone = false;
    const askAgain = throttled(ASK_EVERY_MS, async () => {
      const { image, prediction, source } = usePad.getState();
      // Images of the data set are what is familiar. There are no statistics of a network that the next run starts from.
      const isJudged = source !== 'sample' && knowsTrained(targetOf(padDataset(useApp.getState())));
      if (!image || !prediction || !isJudged || 'from' in prediction) return setStrangeness(undefined);
      const isTrained = 'testAccuracy' in prediction;
      const answer = await ask((api) =>
        isTrained ? api.familiar.toTrained(image) : api.familiar.toRun(image),
      );
      if (!gone) setStrangeness(answer.ok ? answer.value?.strangeness : undefined);
    });
    askAgain();
    const unsubscribe = usePad.subscribe(askAgain);
    return () => {
      gone = true;
      unsubscribe();
    };
  }, []);
  return strangeness;
}
