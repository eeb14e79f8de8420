import { ask } from '../../client.ts';
import { digits } from '../../components/maps/numbers.ts';
import { Button } from '../../widgets/Button.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { TileButton } from '../../components/Tile.tsx';
import { useLiveAnswer } from '../../components/use-answer.ts';
import { elements } from '../../../base/shape.ts';
import type { NearestImages } from '../../../worker/api.ts';
import * as format from '../../format.ts';
import { padDataset } from '../../pad/pad-dataset.ts';
import { usePad } from '../../pad/pad-store.ts';
import { showOnPad } from '../../pad/showing.ts';
import { useApp } from '../../state/store.ts';
import { useState } from 'react';
import { keyOf } from './image-key.ts';
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
    () => ask((api) => api.nearest(image ?? new Uint8Array())),
  );
  const found = answer?.ok ? answer.value : undefined;
  const size = found ? elements(found.shape) : 0;
  return (
    <Panel
      title="Nearest training images"
      aside={training && <Button onPress={() => setAsked(asked + 1)}>Find</Button>}
    >
      <div ref={element}>
        {answer && !answer.ok && <p className="error soft">{answer.error.message}</p>}
        {!found && !(answer && !answer.ok) && (
          <p className="faint">
            {wanted ? 'Comparing…' : 'Select Find. During training, the search does not run automatically.'}
          </p>
        )}
        {found && (
          <>
            <ul className={styles.nearest} aria-label="Nearest training images">
              {found.found.map(({ index, label, distance }, i) => {
                const bytes = found.images.subarray(i * size, (i + 1) * size);
                const name = classes[label] ?? String(label);
                const title = `Training image ${format.count(index)}: ${name}`;
                return (
                  <li key={index}>
                    <TileButton
                      image={bytes}
                      shape={found.shape}
                      title={`${title}, distance ${digits(distance)}. Select to inspect it.`}
                      caption={name}
                      note={digits(distance, 2)}
                      onPress={() => showOnPad(bytes.slice(), found.shape, title)}
                    />
                  </li>
                );
              })}
            </ul>
            <p className="fine">
              Euclidean distance of the {format.count(found.values)} features before the last layer, at step{' '}
              {format.count(found.step)}; {format.count(found.searched)}
              {found.searched < found.total && ` of ${format.count(found.total)}`} training images compared.
            </p>
          </>
        )}
      </div>
    </Panel>
  );
}
