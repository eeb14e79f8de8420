import { useId, type ReactNode } from 'react';
import type { FailureValue } from '../../../base/result.ts';
import { ActionButton } from '../../actions/ActionButton.tsx';
import { stepBatch, train } from '../../actions/actions.ts';
import { Foreseen } from '../../components/Foreseen.tsx';
import { useLive } from '../../metrics/use-live.ts';
import { inspect as texts } from '../../messages/inspect.ts';
import styles from './Recording.module.css';

interface RecordingBarProps {
  label: string;
  recording: boolean;
  error: FailureValue | undefined;
  onChange(recording: boolean): void;
  /** What stands beside the switch. */
  children?: ReactNode;
}

/** Turns a recording during training on and off. */
export const RecordingBar = ({ label, recording, error, onChange, children }: RecordingBarProps) => (
  <>
    <div className={styles.bar}>
      <label className="beside">
        <input type="checkbox" checked={recording} onChange={({ target }) => onChange(target.checked)} />
        {label}
      </label>
      {children}
    </div>
    {error && (
      <p className="error soft" role="alert">
        {error.message} {error.advice}
      </p>
    )}
  </>
);

interface NothingProps {
  of: 'ridges' | 'points';
  untrained: string;
  waiting: string;
}

/** In place of what is not recorded yet. */
export function NothingRecorded({ of, untrained, waiting }: NothingProps) {
  const { step } = useLive();
  return (
    <Foreseen of={of}>
      <p>{step === 0 ? untrained : waiting}</p>
      {step === 0 && (
        <div className="row">
          <ActionButton action={train} kind="primary" />
          <ActionButton action={stepBatch} />
        </div>
      )}
    </Foreseen>
  );
}

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
        aria-valuetext={`${texts.of(at + 1, count)}, ${moment}`}
        onChange={({ target }) => {
          const to = Number(target.value);
          onChange(to === count - 1 ? undefined : to);
        }}
      />
      <span className="numbers">{text}</span>
    </div>
  );
}
