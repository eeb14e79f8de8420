import { useMemo } from 'react';
import type { JudgedSample, SamplePage } from '../../../../worker/api.ts';
import * as format from '../../../format.ts';
import { go, hrefOf } from '../../../route.ts';
import { Tile } from '../../train/data/Tile.tsx';
import { tileSize } from '../../train/data/tile.ts';
import { showOnPad } from '../../../pad/showing.ts';
import styles from './Samples.module.css';

interface SampleProps {
  sample: JudgedSample;
  page: SamplePage;
  place: number;
  classes: readonly string[];
}

/** A test image with its answer; pressed, it goes through the network in Inspect. */
export function Sample({ sample, page, place, classes }: SampleProps) {
  const { index, truth, answer, confidence, truthProbability } = sample;
  const image = useMemo(() => {
    const size = tileSize(page.shape);
    return page.images.subarray(place * size, (place + 1) * size);
  }, [page, place]);
  const [is, taken] = [classes[truth] ?? truth, classes[answer] ?? answer];
  const right = truth === answer;
  const words = right
    ? `A ${is}, answered rightly, ${format.percent(confidence)} sure`
    : `A ${is} taken for ${taken}, ${format.percent(confidence)} sure; ${is} got ${format.percent(truthProbability)}`;
  const open = () => {
    showOnPad(image.slice(), page.shape, `Test image ${format.count(index)}: ${is}`);
    go(hrefOf('inspect', 'image'));
  };
  return (
    <button type="button" className={styles.sample} title={words} onClick={open}>
      <Tile image={image} shape={page.shape} className={styles.tile} />
      <span className="unseen">{words}</span>
      <span className={styles.caption} aria-hidden="true">
        {right ? is : `${is} → ${taken}`}
      </span>
      <span className={styles.sure} aria-hidden="true">
        {format.percent(confidence, 0)}
      </span>
    </button>
  );
}
