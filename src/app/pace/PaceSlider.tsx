import { useId } from 'react';
import type { Speed } from '../../worker/api.ts';
import * as format from '../format.ts';
import { runIsOpen } from '../state/run.ts';
import { useApp } from '../state/store.ts';
import { paceOf, PACES, positionOf, SLOW_MOTION, WATCH } from './pace.ts';
import { train as texts } from '../messages/en/train.tsx';
import styles from './Pace.module.css';

/** Sets how fast runs train, and says how fast they would train without a limit. */
export function PaceSlider() {
  const id = useId();
  const pace = useApp(paceOf);
  const setPace = useApp((state) => state.setPace);
  const fullSpeed = useApp((state) => (runIsOpen(state.runState) ? state.fullSpeed : undefined));
  const note = noteOf(pace, fullSpeed);
  return (
    <div className={styles.pace}>
      <label htmlFor={id} className={styles.label}>
        {texts.pace.label}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={PACES.length - 1}
        value={positionOf(pace)}
        aria-valuetext={`${wordsOf(pace)}${note && `; ${note}`}`}
        title={texts.pace.title}
        onChange={(event) => setPace(PACES[Number(event.target.value)])}
      />
      <p className={`numbers ${styles.words}`}>
        {wordsOf(pace)}
        <span className="faint">{note}</span>
      </p>
    </div>
  );
}

/** "Watch: 40 steps/s" */
export function wordsOf(pace: number): string {
  if (pace === Infinity) return texts.pace.full;
  if (pace === SLOW_MOTION) return texts.pace.slowMotion;
  const steps = texts.pace.steps(pace);
  return pace === WATCH ? texts.pace.watch(steps) : steps;
}

/** What this device can do: "full speed: 3,100 steps/s", at least "612+ steps/s". Empty while that is not known. */
export function noteOf(pace: number, fullSpeed: Speed | undefined): string {
  if (!fullSpeed) return '';
  const { stepsPerSecond, atLeast } = fullSpeed;
  const rate = format.rate(stepsPerSecond < 10 ? stepsPerSecond : Math.floor(stepsPerSecond));
  if (pace === Infinity) return atLeast ? '' : texts.pace.rate(rate);
  return texts.pace.fullRate(`${rate}${atLeast && stepsPerSecond >= pace ? '+' : ''}`);
}
