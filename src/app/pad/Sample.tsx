import { useMemo } from 'react';
import type { PredictedSample, SamplePage } from '../../worker/api.ts';
import { imageAt, TileButton } from '../components/Tile.tsx';
import * as format from '../format.ts';
import { go, hrefOf } from '../route.ts';
import { showOnPad } from './pad-image.ts';
import { results as texts } from '../messages/en/results.tsx';
import { train } from '../messages/en/train.tsx';

interface SampleProps {
  sample: PredictedSample;
  /** The page that the sample is on, and its index there. */
  page: SamplePage;
  place: number;
  classes: readonly string[];
}

/** A test image with its prediction. Selecting it puts it on the pad and opens its activations in Inspect. */
export function Sample({ sample, page, place, classes }: SampleProps) {
  const { index, label, prediction, confidence, labelProbability } = sample;
  const image = useMemo(() => imageAt(page, place), [page, place]);
  const [trueClass, predicted] = [classes[label] ?? String(label), classes[prediction] ?? String(prediction)];
  const correct = label === prediction;
  return (
    <TileButton
      image={image}
      shape={page.shape}
      title={
        correct
          ? texts.correct(trueClass, format.percent(confidence))
          : texts.wrong(trueClass, predicted, format.percent(confidence), format.percent(labelProbability))
      }
      caption={correct ? trueClass : `${trueClass} → ${predicted}`}
      note={format.percent(confidence, 0)}
      onPress={() => {
        showOnPad(image, page.shape, train.pad.ofTest(index, trueClass));
        go(hrefOf('inspect', 'image'));
      }}
    />
  );
}
