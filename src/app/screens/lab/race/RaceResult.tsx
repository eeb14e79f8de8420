import { useState } from 'react';
import { timeAxis, type TimeScale } from '../../../charts/bars/time-axis.ts';
import { Choice } from '../../../components/Choice.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { Panel } from '../../../components/Panel.tsx';
import { Downloads } from '../Downloads.tsx';
import { isRunning, type Measurement } from '../batch.ts';
import { useAlgorithms, type Measured } from '../lab-store.ts';
import { Method } from '../Method.tsx';
import { describe } from '../sizes.ts';
import { lanesOf, verdict, wrongOf } from '../verdict.ts';
import { Absences } from '../Absences.tsx';
import { RaceTable } from './RaceTable.tsx';
import styles from './RaceResult.module.css';
import type { Reading } from './RaceView.tsx';

interface RaceResultProps {
  batch: Measured;
  onRead(reading: Reading): void;
}

/** How a race goes, and how it ended. */
export function RaceResult({ batch, onRead }: RaceResultProps) {
  const [scale, setScale] = useState<TimeScale>('near');
  const names = useAlgorithms().map(({ name }) => name);
  const { measurements } = batch;
  const [{ request }] = measurements;
  // One axis for all, so that float32 and float16 can be compared.
  const lanes = measurements.map((one) => lanesOf(one, names));
  const axis = timeAxis(
    scale,
    lanes.flat().flatMap(({ best }) => best ?? []),
  );
  return (
    <Panel
      title={`${request.direction} of ${describe(request.sizes)}`}
      aside={
        <Choice
          label="Scale of the bars"
          name="race-scale"
          value={scale}
          options={[
            { value: 'near', label: 'Near the best' },
            { value: 'all', label: 'All' },
            { value: 'log', label: 'Log' },
          ]}
          onChange={setScale}
        />
      }
    >
      {batch.edited.length > 0 && (
        <p className={styles.trial}>
          Raced with an edited {batch.edited.map((name) => `${name}.wgsl`).join(', ')}.
        </p>
      )}
      {batch.error && (
        <Notice kind="error" title="The race ended early">
          <p>
            {batch.error.message} {batch.error.advice}
          </p>
        </Notice>
      )}
      {measurements.map((measurement, i) => (
        <section key={measurement.request.number} className={styles.one}>
          {measurements.length > 1 && (
            <h3>{measurement.request.number === 'f16' ? 'float16, sums in float32' : 'float32'}</h3>
          )}
          <Headline measurement={measurement} batch={batch} />
          <Quarantine measurement={measurement} edited={batch.edited} />
          {measurement.error && (
            <Notice kind="warning" title="This could not be measured">
              <p>
                {measurement.error.message} {measurement.error.advice}
              </p>
            </Notice>
          )}
          {lanes[i].length > 0 && !measurement.error && (
            <RaceTable
              measurement={measurement}
              lanes={lanes[i]}
              axis={axis}
              running={isRunning(batch)}
              onRead={(choice) => onRead({ request: measurement.request, choice })}
            />
          )}
          <Absences measurement={measurement} />
        </section>
      ))}
      <Method batch={batch} />
      <Downloads kind="race" batch={batch} title={`${request.direction} of ${describe(request.sizes)}`} />
    </Panel>
  );
}

/** Who won, or how far it is. One line high throughout. */
function Headline({ measurement, batch }: { measurement: Measurement; batch: Measured }) {
  const { state, tried } = measurement;
  const counted = `${tried.length} ${tried.length === 1 ? 'launch' : 'launches'} so far`;
  const text = ((): string => {
    if (state === 'found') return verdict(measurement);
    if (state === 'measuring') {
      return tried.length === 0 ? 'Compiling the kernels…' : `Checking and timing: ${counted}…`;
    }
    if (batch.state === 'cancelled') return `Stopped, after ${counted.replace(' so far', '')}.`;
    return isRunning(batch) ? 'Waiting for its turn…' : '';
  })();
  return (
    <p className={styles.headline} data-found={state === 'found' || undefined} aria-live="polite">
      {text}
    </p>
  );
}

/** What computes wrongly, by name: nobody should have to look for it. */
function Quarantine({ measurement, edited }: { measurement: Measurement; edited: readonly string[] }) {
  const wrong = wrongOf(measurement);
  if (wrong.length === 0) return null;
  const names = [...new Set(wrong.map(({ algorithm }) => algorithm))];
  return (
    <div className={styles.quarantine}>
      <Notice
        kind="error"
        title={`${names.join(', ')} ${names.length === 1 ? 'computes' : 'compute'} wrong numbers: in quarantine, not timed and never used`}
      >
        <ul>
          {wrong.map(({ algorithm, launch, reason, shaders }) => (
            <li key={`${algorithm} ${launch}`}>
              <b>
                {algorithm}, “{launch}”
              </b>{' '}
              ({culprits(shaders, edited)}): {reason}
            </li>
          ))}
        </ul>
        {measurement.found?.doubt && <p>{measurement.found.doubt}</p>}
      </Notice>
    </div>
  );
}

/** The edited files of a launch, or else its own. */
function culprits(shaders: readonly string[], edited: readonly string[]): string {
  const changed = shaders.filter((name) => edited.includes(name));
  const named = changed.length > 0 ? changed : shaders.slice(0, 1);
  return `${changed.length > 0 ? 'edited ' : ''}${named.map((name) => `${name}.wgsl`).join(', ')}`;
}
