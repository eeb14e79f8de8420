import { useId } from 'react';
import * as format from '../../format.ts';
import styles from './MomentSlider.module.css';

interface MomentSliderProps {
  label: string;
  /** Which of `count` moments is shown. */
  at: number;
  count: number;
  /** "step 400, epoch 2" */
  moment: string;
  /** What stands beside it; default: the moment. */
  text?: string;
  /** Called with undefined for the newest, so that later ones are shown as they come. */
  onChange(at: number | undefined): void;
}

/** Goes through what was recorded during training. */
export function MomentSlider({ label, at, count, moment, text = moment, onChange }: MomentSliderProps) {
  const id = useId();
  return (
    <div className={styles.slider}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={count - 1}
        value={at}
        aria-valuetext={`${format.count(at + 1)} of ${format.count(count)}, ${moment}`}
        onChange={({ target }) => {
          const to = Number(target.value);
          onChange(to === count - 1 ? undefined : to);
        }}
      />
      <span className="numbers">{text}</span>
    </div>
  );
}
