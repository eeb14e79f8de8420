/** Form controls of the Lab, and the button that starts and stops a measurement. */
import type { ComponentProps, ReactNode } from 'react';
import type { ConvDirection, ConvNumber } from '../../../worker/api.ts';
import { stopGpuTask } from '../../actions/actions.ts';
import { obstacleToConnection, obstacleToGpu } from '../../actions/start.ts';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { Labelled } from '../../widgets/Labelled.tsx';
import { FailureNotice } from '../../widgets/Notice.tsx';
import { useApp } from '../../state/store.ts';
import { VERBS } from '../verbs.ts';
import { isRunning } from './batch.ts';
import styles from './Lab.module.css';
import { runningView, useLab, type LabView } from './lab-store.ts';

/** Images of a batch, at most. A power of two. */
export const MOST_IMAGES = 256;

interface BatchSliderProps {
  label: string;
  /** A power of two. */
  value: number;
  onChange(value: string): void;
}

/** The number of images, by powers of two. */
export function BatchSlider({ label, value, onChange }: BatchSliderProps) {
  return (
    <div className={styles.slider}>
      <Labelled look="above" label={`${label}: ${value}`}>
        {(described) => (
          <input
            {...described}
            type="range"
            min={0}
            max={Math.log2(MOST_IMAGES)}
            step={1}
            value={Math.log2(value)}
            aria-valuetext={String(value)}
            onChange={(event) => onChange(String(2 ** Number(event.target.value)))}
          />
        )}
      </Labelled>
    </div>
  );
}

/** A few options side by side, below a caption. */
export function CaptionedChoice<T extends string>({ label, ...choice }: ComponentProps<typeof Choice<T>>) {
  return (
    <div className={styles.field}>
      <span className="caption" aria-hidden="true">
        {label}
      </span>
      <Choice label={label} {...choice} />
    </div>
  );
}

type Chosen<T extends string> = Pick<ComponentProps<typeof Choice<T>>, 'value' | 'onChange'>;

export const DirectionChoice = (props: Chosen<ConvDirection>) => (
  <CaptionedChoice
    label="Direction"
    options={{ fprop: 'fprop', dgrad: 'dgrad', wgrad: 'wgrad' }}
    {...props}
  />
);

/** The type in which activations are stored; sums are in float32. */
export function NumberChoice({ value, onChange }: Chosen<ConvNumber>) {
  return (
    <CaptionedChoice
      label="Precision"
      value={value}
      options={{ f32: 'float32', f16: 'float16' }}
      onChange={onChange}
    />
  );
}

/** Why float16 cannot be measured here; undefined if it can, or is not wanted. */
export function useNumberObstacle(number: ConvNumber): string | undefined {
  const none = useApp((state) => state.adapter?.features.includes('shader-f16') === false);
  return none && number === 'f16'
    ? 'This device does not support float16 in shaders (shader-f16).'
    : undefined;
}

/** What each view measures, as the subject of a sentence. */
export const MEASUREMENTS: Readonly<Record<LabView, string>> = {
  race: 'The race',
  suite: 'The preset',
  map: 'The winner map',
  ladder: 'The ladder',
  tune: 'Autotune',
};

/** Why this view of the Lab cannot measure now; undefined if it can. */
export function useObstacle(view: LabView): string | undefined {
  const device = useApp(
    (state) => obstacleToConnection(state) ?? (state.gpuTask === 'lab' ? undefined : obstacleToGpu(state)),
  );
  const running = useLab(runningView);
  if (device !== undefined) return device;
  if (running === undefined || running === view) return undefined;
  return `${MEASUREMENTS[running]} is running. Wait until it finishes, or stop it.`;
}

interface MeasureFormProps {
  view: LabView;
  obstacle?: string | undefined;
  /** The progress, or what to expect. */
  status: string;
  /** Absent where nothing is measured. */
  onMeasure: (() => void) | undefined;
  /** Its fields. */
  children: ReactNode;
}

/** What a view of the Lab measures, the button that starts it, and how far it is. */
export const MeasureForm = ({ view, obstacle, status, onMeasure, children }: MeasureFormProps) => (
  <>
    <div className={styles.fields}>
      {children}
      {onMeasure && <MeasureButton view={view} obstacle={obstacle} onPress={onMeasure} />}
    </div>
    <p className="fine" role="status">
      {status}
    </p>
    <Interruption view={view} />
  </>
);

interface MeasureButtonProps {
  view: LabView;
  /** Why the measurement itself is not possible. */
  obstacle?: string | undefined;
  /** Default the verb's name. */
  children?: string;
  onPress(): void;
}

/** Starts the measurement of a view, or stops it. */
export function MeasureButton({ view, obstacle, children, onPress }: MeasureButtonProps) {
  const running = useLab((state) => isRunning(state.batches[view]));
  const busy = useObstacle(view);
  return running ? (
    <Button icon="stop" onPress={() => void stopGpuTask()}>
      Stop
    </Button>
  ) : (
    <Button verb={VERBS[view]} kind="primary" obstacle={busy ?? obstacle} onPress={onPress}>
      {children}
    </Button>
  );
}

/** Why the last measurement of a view ended early, if it did. */
export function Interruption({ view }: { view: LabView }) {
  const error = useLab((state) => state.batches[view]?.error);
  return error && <FailureNotice title="Measurement interrupted" error={error} />;
}
