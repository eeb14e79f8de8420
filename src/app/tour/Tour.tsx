import { useEffect, useEffectEvent, useRef, useState } from 'react';
import * as format from '../format.ts';
import { tour as texts } from '../messages/en/tour.tsx';
import { padDataset } from '../pad/pad-dataset.ts';
import { go, hrefOf, parseRoute, useHash } from '../route.ts';
import { showPart } from '../screens/train/part.ts';
import { Button } from '../widgets/Button.tsx';
import { Card } from './Card.tsx';
import { focusIn, LOOK_EVERY, shownTarget, useBeside } from './place.ts';
import { isOnTrain, now, TOURS, type TourMoment, type Stop } from './stops.ts';
import styles from './Card.module.css';

/** The next stop that has something to do. */
const openFrom = (stops: readonly Stop[], at: number): number => {
  const moment = now();
  return stops.findIndex(({ unless }, i) => i >= at && !unless?.(moment));
};

/** What came of a stop, in words. */
function outcomeOf({ name }: Stop, { app, pad }: TourMoment): string {
  const { done } = texts[name];
  if ((name !== 'draw' && name !== 'fool') || !pad.prediction) return done;
  const { probabilities } = pad.prediction;
  const confidence = Math.max(...probabilities);
  const answer = padDataset(app)?.classes[probabilities.indexOf(confidence)] ?? '';
  return `${texts.says(answer, format.percent(confidence))} ${done}`;
}

/** What came of a stop so far, in words; undefined until it is done. Some time after that, `onDone` is called. */
function useOutcome(stop: Stop | undefined, onDone: () => void): string | undefined {
  const [outcome, setOutcome] = useState<{ stop: Stop; words: string }>();
  const done = useEffectEvent(onDone);
  useEffect(() => {
    if (!stop) return undefined;
    if (stop.part) {
      if (!isOnTrain()) go(hrefOf('train'));
      showPart(stop.part);
    }
    stop.arrive?.();
    const reached = now();
    let { image } = reached.pad;
    let timer = 0;
    const look = () => {
      const moment = now();
      const isDone = stop.done?.(moment, reached) ?? false;
      setOutcome(isDone ? { stop, words: outcomeOf(stop, moment) } : undefined);
      // Who still draws is not done.
      if (!isDone || moment.pad.image !== image) {
        clearTimeout(timer);
        timer = 0;
      }
      ({ image } = moment.pad);
      if (isDone) timer ||= window.setTimeout(() => done(), stop.pause);
    };
    look();
    const looking = setInterval(look, LOOK_EVERY);
    return () => {
      clearInterval(looking);
      clearTimeout(timer);
    };
  }, [stop]);
  return outcome?.stop === stop ? outcome?.words : undefined;
}

/** Calls `end` when Escape is pressed and nothing above the page is open, which closes first. */
function useEscape(end: () => void): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    end();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => pressed(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

interface TourProps {
  name: string;
  onEnd(): void;
}

/** A card beside what it speaks of, which waits until that is done. The page stays in use; Escape ends the tour. */
export function Tour({ name, onEnd }: TourProps) {
  const card = useRef<HTMLElement>(null);
  const stops = TOURS[name] ?? [];
  const [at, setAt] = useState(() => openFrom(stops, 0));
  const stop = stops[at] as Stop | undefined;
  const next = () => setAt(openFrom(stops, at + 1));
  const outcome = useOutcome(stop, next);
  const end = () => {
    const hadFocus = card.current?.contains(document.activeElement);
    onEnd();
    if (hadFocus) document.querySelector<HTMLElement>('main')?.focus();
  };
  useEscape(end);
  useEffect(() => card.current?.focus({ preventScroll: true }), []);
  useBeside(card, stop?.target, stop);

  // Those that speak of something on the page.
  const counted = stops.filter(({ target }) => target !== undefined);
  const place = stop ? counted.indexOf(stop) + 1 : 0;
  const said = stop && texts[stop.name];
  return (
    <Card
      card={card}
      label={texts.label}
      caption={place > 0 ? texts.place(place, counted.length) : texts.label}
      close={texts.end}
      closeTitle={`${texts.end} (Esc)`}
      onClose={end}
    >
      <div aria-live="polite" className={styles.words}>
        {said ? <h2>{said.title}</h2> : null}
        <p>{said ? said.text : texts.unknown(name)}</p>
        {outcome && <p className={styles.outcome}>{outcome}</p>}
      </div>
      <div className="row">
        {stop && <Help stop={stop} />}
        <Button
          kind={stop?.done && outcome === undefined ? 'quiet' : 'primary'}
          className={styles.next}
          onPress={stop?.done ? next : end}
        >
          {!stop?.done ? texts.finish : outcome === undefined ? texts.skip : texts.next}
        </Button>
      </div>
    </Card>
  );
}

/** Does a stop's task, or shows where it is done; from another screen, the way back. */
function Help({ stop: { name, part, help, target } }: { stop: Stop }) {
  const onTrain = isOnTrain(parseRoute(useHash()).screen);
  if (part && !onTrain) return <a href={hrefOf('train')}>{texts.back}</a>;
  return (
    help && (
      <Button onPress={() => (help === 'focus' ? focusIn(shownTarget(target)) : help())}>
        {texts[name].help}
      </Button>
    )
  );
}
