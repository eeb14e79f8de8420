import type { SettingsErrors } from '../../../state/read-settings.ts';
import { useApp } from '../../../state/store.ts';
import { NumberSettingField } from './fields.tsx';
import { train as texts } from '../../../messages/en/train.tsx';
import styles from './Settings.module.css';

/** Powers of ten that the slider goes from and to, and how many positions a power has. */
const [LEAST, MOST, POSITIONS] = [-5, 1, 20];

/** What stands beneath the slider, evenly spaced. */
const MARKS = ['10⁻⁵', '10⁻³', '0.1', '10'];

/** A position as a rate: two digits are enough for a hand. */
export const rateAt = (position: number): string => String(Number((10 ** position).toPrecision(2)));

/** A rate's position; the middle while it is not a number. */
export const positionOf = (rate: string): number => {
  const position = Math.log10(Number(rate));
  return Number.isFinite(position) ? Math.min(MOST, Math.max(LEAST, position)) : (LEAST + MOST) / 2;
};

/** What stands beneath the slider at a rate: one beyond an end stands there itself. */
export const marksAt = (rate: string): readonly string[] => {
  const [position, inner] = [Math.log10(Number(rate)), MARKS.slice(1, -1)];
  if (position > MOST) return [MARKS[0], ...inner, `${rate} →`];
  return position < LEAST && Number.isFinite(position)
    ? [`← ${rate}`, ...inner, MARKS[MARKS.length - 1]]
    : MARKS;
};

/** The learning rate as a number and on a logarithmic scale. It acts on an open run at once. */
export function LearningRate({ errors }: { errors: SettingsErrors }) {
  const rate = useApp((state) => state.settings.lr);
  const change = useApp((state) => state.change);
  return (
    <div data-lead>
      <NumberSettingField name="lr" errors={errors} look="brief" />
      <input
        type="range"
        className={styles.slider}
        aria-label={texts.settings.rateSlider}
        aria-valuetext={rate}
        min={LEAST}
        max={MOST}
        step={1 / POSITIONS}
        value={positionOf(rate)}
        onChange={(event) => change({ lr: rateAt(Number(event.target.value)) })}
      />
      <div className={styles.marks} aria-hidden="true">
        {marksAt(rate).map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </div>
    </div>
  );
}
