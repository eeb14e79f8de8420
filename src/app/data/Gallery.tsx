import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isAugmented } from '../../base/augmentation.ts';
import type { FailureValue } from '../../base/result.ts';
import { chosenDataset } from '../actions/start.ts';
import { Choice } from '../widgets/Choice.tsx';
import { Dialog } from '../widgets/Dialog.tsx';
import { TileButton } from '../components/Tile.tsx';
import * as format from '../format.ts';
import { useLiveValue } from '../metrics/use-live.ts';
import { showOnPad } from '../pad/pad-image.ts';
import { readSettings } from '../state/read-settings.ts';
import { useApp } from '../state/store.ts';
import type { DatasetEntry } from '../../worker/api.ts';
import { data as texts } from '../messages/en/data.tsx';
import styles from './Data.module.css';
import { galleryPart, type GalleryImage, type GalleryPart, type GalleryQuery } from './gallery-images.ts';

/** All images of the chosen data set, by class. */
export function Gallery({ onClose }: { onClose(): void }) {
  const dataset = useApp(chosenDataset);
  return (
    <Dialog
      title={dataset?.title ?? texts.gallery.title}
      explanation={texts.gallery.explanation}
      onClose={onClose}
    >
      {dataset && <Images key={dataset.name} dataset={dataset} onClose={onClose} />}
    </Dialog>
  );
}

function Images({ dataset, onClose }: { dataset: DatasetEntry; onClose(): void }) {
  const { name, classes, counts } = dataset;
  const [split, setSplit] = useState<GalleryQuery['split']>('train');
  const [label, setLabel] = useState<number>();
  const [mistakes, setMistakes] = useState(false);
  const [asTrained, setAsTrained] = useState(false);
  const isTested = useApp((state) => state.runConfig?.dataset === name);
  const lastEvaluation = useLiveValue((live) => live.lastEvaluation);
  const config = useApp((state) => state.settings);
  const { augmentation, seed } = readSettings(config, dataset).config ?? {};
  const canAugment = augmentation !== undefined && isAugmented(augmentation);
  const augmented =
    asTrained && canAugment && split === 'train' ? { augmentation, seed: seed ?? 0, step: 0 } : undefined;
  const query = { dataset: name, classes, split, label, mistakes: mistakes && split === 'test', augmented };
  const { part, images, error, more } = useParts(query, isTested ? lastEvaluation?.step : undefined);
  return (
    <>
      <div className={styles.filters}>
        <Choice
          label={texts.gallery.split}
          value={split}
          options={{ train: texts.gallery.training(counts.train), test: texts.gallery.test(counts.test) }}
          onChange={setSplit}
        />
        {split === 'train' ? (
          <Choice
            label={texts.gallery.augmentation}
            value={augmented ? 'augmented' : 'original'}
            options={{ original: texts.gallery.original, augmented: texts.gallery.augmented }}
            obstacle={canAugment ? undefined : texts.gallery.notAugmented}
            onChange={(value) => setAsTrained(value === 'augmented')}
          />
        ) : (
          <Choice
            label={texts.gallery.which}
            value={query.mistakes ? 'mistakes' : 'all'}
            options={{ all: texts.gallery.all, mistakes: texts.gallery.mistakes }}
            obstacle={isTested && lastEvaluation ? undefined : texts.gallery.untested}
            onChange={(value) => setMistakes(value === 'mistakes')}
          />
        )}
      </div>
      <Classes classes={classes} perClass={part?.perClass} label={label} onChange={setLabel} />
      <p className="faint" role="status">
        {error
          ? `${error.message} ${error.advice ?? ''}`
          : part && (query.mistakes ? texts.gallery.mistaken : texts.gallery.images)(part.total)}
      </p>
      <ul className={styles.gallery} aria-label={texts.gallery.title}>
        {images.map((one, i) => (
          <li key={i}>
            <TileButton
              image={one.image}
              shape={one.shape}
              title={one.origin}
              caption={one.caption}
              note={one.note}
              onPress={() => {
                showOnPad(one.image, one.shape, one.origin);
                onClose();
              }}
            />
          </li>
        ))}
      </ul>
      {part && images.length < part.total && <More key={images.length} onReached={more} />}
    </>
  );
}

interface ClassesProps {
  classes: readonly string[];
  perClass: readonly number[] | undefined;
  label: number | undefined;
  onChange(label: number | undefined): void;
}

/** Fewer are found by looking. */
const MANY_CLASSES = 8;

/** The classes to choose one of, found by name where there are many. */
function Classes({ classes, perClass, label, onChange }: ClassesProps) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = classes.flatMap((name, i) => (name.toLowerCase().includes(wanted) ? [i] : []));
  return (
    <div className={styles.classes} role="group" aria-label={texts.gallery.classes}>
      {classes.length >= MANY_CLASSES && (
        <input
          type="search"
          className={styles.search}
          aria-label={texts.gallery.find}
          placeholder={texts.gallery.find}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && found.length > 0) onChange(found[0]);
          }}
        />
      )}
      {wanted === '' && (
        <button
          type="button"
          className={styles.class}
          aria-pressed={label === undefined}
          onClick={() => onChange(undefined)}
        >
          {texts.gallery.all}
        </button>
      )}
      {found.map((i) => (
        <button
          key={i}
          type="button"
          className={styles.class}
          aria-pressed={label === i}
          onClick={() => onChange(label === i ? undefined : i)}
        >
          {classes[i]}
          {perClass && <span className="faint numbers">{format.count(perClass[i] ?? 0)}</span>}
        </button>
      ))}
      {found.length === 0 && <p className="faint">{texts.gallery.noClass}</p>}
    </div>
  );
}

interface GalleryList {
  part: GalleryPart | undefined;
  images: GalleryImage[];
  error: FailureValue | undefined;
  more(): void;
}

/** The images of a query as far as they were scrolled to. @param tested the step whose mistakes they are */
function useParts(query: GalleryQuery, tested: number | undefined): GalleryList {
  const key = JSON.stringify([query, query.mistakes && tested]);
  // The list before stays until the next one arrives, so that nothing jumps.
  const [known, setKnown] = useState<{ parts: GalleryPart[]; error?: FailureValue }>({ parts: [] });
  /** The part that was asked for last. */
  const asked = useRef<string>(undefined);
  const images = known.parts.flatMap((part) => part.images);
  const load = async (of: string, before: GalleryPart[], first: number) => {
    const part = `${of} ${first}`;
    if (asked.current === part) return;
    asked.current = part;
    const answer = await galleryPart(query, first);
    if (asked.current !== part) return;
    setKnown(answer.ok ? { parts: [...before, answer.value] } : { parts: before, error: answer.error });
  };
  const start = useEffectEvent((of: string) => void load(of, [], 0));
  useEffect(() => start(key), [key]);
  return {
    part: known.parts.at(-1),
    images,
    error: known.error,
    more: () => void load(key, known.parts, images.length),
  };
}

/** Asks for more images when it is nearly scrolled into view; by keyboard, as a button. */
function More({ onReached }: { onReached(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  const reached = useEffectEvent(onReached);
  useEffect(() => {
    const element = button.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      ([{ isIntersecting }]) => {
        if (!isIntersecting) return;
        observer.disconnect();
        reached();
      },
      { rootMargin: '400px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <button ref={button} type="button" className={`bare faint ${styles.more}`} onClick={onReached}>
      {texts.gallery.showMore}
    </button>
  );
}
