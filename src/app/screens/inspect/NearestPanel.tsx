import { ask } from '../../client.ts';
import { digits } from '../../components/maps/numbers.ts';
import { Button } from '../../widgets/Button.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { TileButton } from '../../components/Tile.tsx';
import { useLiveAnswer } from '../../components/use-answer.ts';
import { elements } from '../../../base/shape.ts';
import type { NearestImages } from '../../../worker/api.ts';
import { padDataset } from '../../pad/pad-dataset.ts';
import { usePad } from '../../pad/pad-store.ts';
import { showOnPad } from '../../pad/pad-image.ts';
import { useApp } from '../../state/store.ts';
import { inspect as texts } from '../../messages/inspect.ts';
import { useState } from 'react';
import { keyOf } from '../../pad/image-key.ts';
import styles from './Inspect.module.css';

const ASK_EVERY_MS = 500;

/** The training images that look most alike to the network. */
export function NearestPanel({ step }: { step: number }) {
  const image = usePad((state) => state.image);
  const runId = useApp((state) => state.runId);
  const training = useApp((state) => state.runState === 'training');
  const classes = useApp((state) => padDataset(state)?.classes) ?? [];
  const [asked, setAsked] = useState(0);
  // While it trains, every step would compute all features again: then one asks by hand.
  const moment = training ? `asked ${asked}` : step;
  const wanted = image && (!training || asked > 0);
  const [element, answer] = useLiveAnswer<NearestImages, HTMLDivElement>(
    wanted ? JSON.stringify([runId, moment, keyOf(image)]) : undefined,
    ASK_EVERY_MS,
    () => ask((api) => api.inspect.nearest(image ?? new Uint8Array())),
  );
  const found = answer?.ok ? answer.value : undefined;
  const size = found ? elements(found.shape) : 0;
  return (
    <Panel
      title={texts.nearest.title}
      aside={training && <Button onPress={() => setAsked(asked + 1)}>{texts.nearest.find}</Button>}
    >
      <div ref={element}>
        {answer && !answer.ok && <p className="error soft">{answer.error.message}</p>}
        {!found && !(answer && !answer.ok) && (
          <p className="faint">{wanted ? texts.nearest.comparing : texts.nearest.byHand}</p>
        )}
        {found && (
          <>
            <ul className={styles.nearest} aria-label={texts.nearest.title}>
              {found.found.map(({ index, label, distance }, i) => {
                const bytes = found.images.subarray(i * size, (i + 1) * size);
                const name = classes[label] ?? String(label);
                const title = texts.trainingImage(index, name);
                return (
                  <li key={index}>
                    <TileButton
                      image={bytes}
                      shape={found.shape}
                      title={texts.nearest.select(title, digits(distance))}
                      caption={name}
                      note={digits(distance, 2)}
                      onPress={() => showOnPad(bytes.slice(), found.shape, title)}
                    />
                  </li>
                );
              })}
            </ul>
            <p className="fine">
              {texts.nearest.method(found.values, found.step, found.searched, found.total)}
            </p>
          </>
        )}
      </div>
    </Panel>
  );
}
