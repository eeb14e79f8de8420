import { useEffect, useState } from 'react';
import { parseAugmentation, showAugmentation, type Augmentation } from '../../../base/augmentation.ts';
import type { ImageSamples } from '../../../worker/api.ts';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { augmentedSamples } from '../../datasets.ts';
import { ImageGrid, type ImageGridProps } from './ImageGrid.tsx';
import { data as texts } from '../../messages/en/data.tsx';
import styles from './Data.module.css';

interface AugmentedSamplesProps extends ImageGridProps {
  /** Of the data set. */
  name: string;
  augmentation: Augmentation;
  seed: number;
}

/** The images as they are or as the network receives them. */
export function AugmentedSamples({ name, samples, classes, augmentation, seed }: AugmentedSamplesProps) {
  const [how, setHow] = useState<'original' | 'augmented'>('original');
  const [step, setStep] = useState(0);
  return (
    <>
      {how === 'original' ? (
        <ImageGrid samples={samples} classes={classes} />
      ) : (
        <AugmentedGrid
          {...{ name, samples, classes, seed, step }}
          augmentation={showAugmentation(augmentation)}
        />
      )}
      <div className={`spread ${styles.sampling}`}>
        <Choice
          label={texts.gallery.augmentation}
          value={how}
          options={{ original: texts.gallery.original, augmented: texts.gallery.augmented }}
          onChange={setHow}
        />
        {how === 'augmented' && (
          <Button icon="dice" onPress={() => setStep(step + 1)}>
            {texts.drawer.resample}
          </Button>
        )}
      </div>
    </>
  );
}

interface AugmentedGridProps extends ImageGridProps {
  name: string;
  /** As text, which compares by value. */
  augmentation: string;
  seed: number;
  /** The training step whose augmentation is shown. */
  step: number;
}

function AugmentedGrid({ name, samples, classes, augmentation, seed, step }: AugmentedGridProps) {
  const [augmented, setAugmented] = useState<ImageSamples>();
  useEffect(() => {
    let gone = false;
    const load = async () => {
      const found = await augmentedSamples(name, {
        augmentation: parseAugmentation(augmentation),
        seed,
        step,
      });
      if (found && !gone) setAugmented(found);
    };
    void load();
    return () => {
      gone = true;
    };
  }, [name, augmentation, seed, step]);
  return <ImageGrid samples={augmented ?? samples} classes={classes} />;
}
