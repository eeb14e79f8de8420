import { useState } from 'react';
import { ActionButton } from '../../actions/ActionButton.tsx';
import type { BatchPage } from '../../../worker/api.ts';
import { isAugmented, showAugmentation } from '../../../base/augmentation.ts';
import { elements } from '../../../base/shape.ts';
import { stepBatch, train } from '../../actions/actions.ts';
import { ask } from '../../client.ts';
import { Button } from '../../widgets/Button.tsx';
import { Foreseen } from '../../components/Foreseen.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { useAnswer } from '../../components/use-answer.ts';
import * as format from '../../format.ts';
import { useLive } from '../../metrics/use-live.ts';
import { go, hrefOf } from '../../route.ts';
import { useApp } from '../../state/store.ts';
import { TileButton } from '../../components/Tile.tsx';
import { padDataset } from '../../pad/pad-dataset.ts';
import { showOnPad } from '../../pad/pad-image.ts';
import styles from './Inspect.module.css';
import { digits } from '../../components/maps/numbers.ts';
import { inspect as texts } from '../../messages/inspect.ts';
import { denormalised, momentsOf } from './batch-pixels.ts';

/** Images shown at first, doubled each time; and the worker's limit per request. */
const PAGE = 32;
const MAX_IMAGES = 256;

/** The last training batch, as the network received it. */
export function BatchView() {
  const { step } = useLive();
  const runId = useApp((state) => state.runId);
  const [count, setCount] = useState(PAGE);
  const key = step > 0 ? `${runId} ${step} ${count}` : undefined;
  const answer = useAnswer(key, () => ask((api) => api.inspect.seenBatch(0, count)));
  // The previous batch stays until the next arrives, so that nothing jumps while a run trains.
  const [page, setPage] = useState<BatchPage>();
  if (answer?.ok && answer.value !== page) setPage(answer.value);
  const failure = answer && !answer.ok ? answer.error : undefined;
  if (step === 0 || failure || !page) {
    return (
      <Panel title={texts.batch.none}>
        <Foreseen of="images">
          <p>
            {failure && step > 0
              ? `${failure.message} ${failure.advice ?? ''}`
              : step > 0
                ? texts.batch.loading
                : texts.batch.untrained}
          </p>
          <div className="row">
            <ActionButton action={stepBatch} kind="primary" />
            <ActionButton action={train} />
          </div>
        </Foreseen>
      </Panel>
    );
  }
  return (
    <Batch
      page={page}
      onMore={count < MAX_IMAGES ? () => setCount(Math.min(MAX_IMAGES, 2 * count)) : undefined}
    />
  );
}

function Batch({ page, onMore }: { page: BatchPage; onMore: (() => void) | undefined }) {
  const { images, shape, labels, indices, blended, step, total } = page;
  const classes = useApp((state) => padDataset(state)?.classes) ?? [];
  const varied = useApp(({ runConfig }) => {
    const { augmentation } = runConfig ?? {};
    return augmentation && isAugmented(augmentation) ? showAugmentation(augmentation) : undefined;
  });
  const size = elements(shape);
  const name = (label: number) => classes[label] ?? String(label);
  const { least, most, mean, deviation } = momentsOf(images);
  const bytes = denormalised(images, page);
  const open = (i: number) => {
    showOnPad(
      bytes.slice(i * size, (i + 1) * size),
      shape,
      texts.batch.onPad(indices[i], step, name(labels[i])),
    );
    go(hrefOf('inspect', 'image'));
  };
  return (
    <Panel
      title={texts.batch.title(step)}
      explanation={
        <>
          {texts.batch.values(digits(least), digits(most), digits(mean), digits(deviation), varied)}
          {blended &&
            texts.batch.mixup(format.percent(blended.share, 0), format.percent(1 - blended.share, 0))}
        </>
      }
    >
      <ul className={styles.gallery} aria-label={texts.batch.images}>
        {Array.from(labels, (label, i) => {
          const words = blended ? texts.batch.blended(name(label), name(blended.labels[i])) : name(label);
          return (
            <li key={i}>
              <TileButton
                image={bytes.subarray(i * size, (i + 1) * size)}
                shape={shape}
                title={texts.batch.select(texts.trainingImage(indices[i], words))}
                caption={words}
                onPress={() => open(i)}
              />
            </li>
          );
        })}
      </ul>
      <div className={styles.more}>
        <span>{texts.batch.shown(labels.length, total)}</span>
        {labels.length < total && onMore && <Button onPress={onMore}>{texts.showMore}</Button>}
      </div>
    </Panel>
  );
}
