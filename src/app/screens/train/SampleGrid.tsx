import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { isAugmented, parseAugmentation, showAugmentation } from '../../../base/augmentation.ts';
import type { DatasetEntry, Samples } from '../../../worker/api.ts';
import { chosenDataset } from '../../actions/start.ts';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { loadSamples, variedSamples } from '../../datasets.ts';
import { readSettings } from '../../state/read-settings.ts';
import { useApp } from '../../state/store.ts';
import { showOnPad } from '../../pad/showing.ts';
import { drawTile, imageAt } from '../../components/Tile.tsx';
import { useInk } from '../../components/use-ink.ts';
import styles from './Train.module.css';

const COLUMNS = 8;
const ROWS = 5;
const GAP = 4;

/** The first images of the data set: grey ones as ink on paper. */
export function SampleGrid({ dataset }: { dataset: DatasetEntry }) {
  const { name } = dataset;
  const samples = useApp((state) => state.samples[name]);
  const waiting = dataset.status.state === 'ready' && !samples;
  useEffect(() => {
    if (waiting) void loadSamples(name);
  }, [waiting, name]);
  if (dataset.status.state === 'failed') return null;
  if (!samples) {
    return (
      <div className={`vacant ${styles.noSamples}`}>
        <p>{waiting ? 'Loading images…' : 'Sample images appear here once downloaded.'}</p>
      </div>
    );
  }
  return <OriginalOrAugmented name={name} samples={samples} classes={dataset.classes} />;
}

interface SamplesProps {
  name: string;
  samples: Samples;
  classes: string[];
}

/** The images as they are or, where training augments them, as the network receives them. */
function OriginalOrAugmented({ name, samples, classes }: SamplesProps) {
  const settings = useApp((state) => state.settings);
  const { config } = readSettings(settings, useApp(chosenDataset));
  const [how, setHow] = useState<'original' | 'augmented'>('original');
  const [step, setStep] = useState(0);
  const shown = <Grid samples={samples} classes={classes} />;
  if (!config?.augmentation || !isAugmented(config.augmentation)) return shown;
  const { augmentation, seed } = config;
  return (
    <>
      {how === 'original' ? (
        shown
      ) : (
        <AugmentedGrid
          {...{ name, samples, classes, seed, step }}
          augmentation={showAugmentation(augmentation)}
        />
      )}
      <div className={`spread ${styles.sampling}`}>
        <Choice
          label="Original or augmented images"
          name="sampling"
          value={how}
          options={[
            { value: 'original', label: 'Original' },
            { value: 'augmented', label: 'Augmented' },
          ]}
          onChange={setHow}
        />
        {how === 'augmented' && (
          <Button icon="dice" onPress={() => setStep(step + 1)}>
            Resample
          </Button>
        )}
      </div>
    </>
  );
}

interface AugmentedGridProps extends SamplesProps {
  /** As text, which compares by value. */
  augmentation: string;
  seed: number;
  /** The training step whose augmentation is shown. */
  step: number;
}

function AugmentedGrid({ name, samples, classes, augmentation, seed, step }: AugmentedGridProps) {
  const [augmented, setAugmented] = useState<Samples>();
  useEffect(() => {
    let gone = false;
    const load = async () => {
      const found = await variedSamples(name, { augmentation: parseAugmentation(augmentation), seed, step });
      if (found && !gone) setAugmented(found);
    };
    void load();
    return () => {
      gone = true;
    };
  }, [name, augmentation, seed, step]);
  return <Grid samples={augmented ?? samples} classes={classes} />;
}

function Grid({ samples, classes }: { samples: Samples; classes: string[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ink = useInk();
  const shown = Math.min(samples.labels.length, COLUMNS * ROWS);
  const [, height, width] = samples.shape;
  const across = COLUMNS * (width + GAP) - GAP;
  const down = Math.ceil(shown / COLUMNS) * (height + GAP) - GAP;

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, across, down);
    for (let i = 0; i < shown; i++) {
      const x = (i % COLUMNS) * (width + GAP);
      const y = Math.floor(i / COLUMNS) * (height + GAP);
      drawTile(context, imageAt(samples, i), samples.shape, x, y, ink);
    }
  }, [samples, shown, ink, across, down, width, height]);

  const clicked = (event: MouseEvent<HTMLCanvasElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const column = Math.floor(((event.clientX - bounds.left) / bounds.width) * COLUMNS);
    const row = Math.floor(((event.clientY - bounds.top) / bounds.height) * Math.ceil(shown / COLUMNS));
    const index = row * COLUMNS + column;
    if (index < shown) showOnPad(imageAt(samples, index), samples.shape);
  };
  const labels = Array.from(samples.labels.subarray(0, shown), (label) => classes[label]).join(', ');
  return (
    <canvas
      ref={canvas}
      className={styles.samples}
      width={across}
      height={down}
      role="img"
      aria-label={`The first ${shown} images: ${labels}`}
      title="Select an image to open it on the pad"
      onClick={clicked}
    />
  );
}
