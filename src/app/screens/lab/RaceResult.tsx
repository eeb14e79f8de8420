import { useState } from 'react';
import { timeAxis, type TimeScale } from '../../charts/bars/time-axis.ts';
import { Choice } from '../../components/Choice.tsx';
import { FailureNotice, Notice, NoticeStack } from '../../components/Notice.tsx';
import { Panel } from '../../components/Panel.tsx';
import { isRunning, type Measurement } from './batch.ts';
import { Interruption } from './controls.tsx';
import styles from './Lab.module.css';
import { useAlgorithms, type Measured } from './lab-store.ts';
import { Absences, RaceTable } from './RaceTable.tsx';
import type { Reading } from './RaceView.tsx';
import { ResultFooter } from './ResultFooter.tsx';
import { describe } from './sizes.ts';
import { lanesOf, verdict, wrongOf } from './verdict.ts';
import { cpuCaption, cpuLane } from './cpu-lane.ts';

interface RaceResultProps {
  batch: Measured;
  onRead(reading: Reading): void;
}

/** A race, running or finished. */
export function RaceResult({ batch, onRead }: RaceResultProps) {
  const [scale, setScale] = useState<TimeScale>('near');
  const names = useAlgorithms().map(({ name }) => name);
  const { measurements } = batch;
  const [{ request }] = measurements;
  // One axis for all, so that float32 and float16 can be compared.
  const lanes = measurements.map((one) => lanesOf(one, names));
  const axis = timeAxis(
    scale,
    [...lanes.flat(), ...measurements.flatMap((one) => cpuLane(one) ?? [])].flatMap(({ best }) => best ?? []),
  );
  const title = `${request.direction} of ${describe(request.sizes)}`;
  return (
    <Panel
      title={title}
      aside={
        <Choice
          label="Scale of the bars"
          value={scale}
          options={{ near: 'Near best', all: 'All', log: 'Log' }}
          onChange={setScale}
        />
      }
    >
      {batch.edited.length > 0 && (
        <p className={styles.edited}>Using edited {batch.edited.map((name) => `${name}.wgsl`).join(', ')}.</p>
      )}
      <NoticeStack>
        <Interruption place="race" />
      </NoticeStack>
      {measurements.map((measurement, i) => (
        <section key={measurement.request.number} className={styles.result}>
          {measurements.length > 1 && (
            <h3>{measurement.request.number === 'f16' ? 'float16, sums in float32' : 'float32'}</h3>
          )}
          <Headline measurement={measurement} batch={batch} />
          <NoticeStack>
            <Incorrect measurement={measurement} edited={batch.edited} />
            {measurement.error && (
              <FailureNotice kind="warning" title="Measurement failed" error={measurement.error} />
            )}
          </NoticeStack>
          {lanes[i].length > 0 && !measurement.error && (
            <RaceTable
              measurement={measurement}
              lanes={lanes[i]}
              axis={axis}
              running={isRunning(batch)}
              onRead={(choice) => onRead({ request: measurement.request, choice })}
            />
          )}
          {measurement.cpu && <p className="fine">{cpuCaption(measurement.cpu, request.sizes.N)}</p>}
          <Absences measurement={measurement} />
        </section>
      ))}
      <ResultFooter kind="race" batch={batch} title={title} />
    </Panel>
  );
}

/** The verdict, or the progress. One line high throughout. */
function Headline({ measurement, batch }: { measurement: Measurement; batch: Measured }) {
  const { state, tried } = measurement;
  const variants = `${tried.length} ${tried.length === 1 ? 'variant' : 'variants'}`;
  const text = ((): string => {
    if (state === 'found') return verdict(measurement);
    if (state === 'measuring') {
      return tried.length === 0 ? 'Compiling the kernels…' : `Verifying and timing: ${variants} so far…`;
    }
    if (batch.state === 'cancelled') return `Stopped after ${variants}.`;
    return isRunning(batch) ? 'Queued…' : '';
  })();
  return (
    <p className={styles.headline} data-found={state === 'found' || undefined} aria-live="polite">
      {text}
    </p>
  );
}

/** Names the variants with incorrect results: nobody should have to look for them. */
function Incorrect({ measurement, edited }: { measurement: Measurement; edited: readonly string[] }) {
  const wrong = wrongOf(measurement);
  if (wrong.length === 0) return null;
  const names = [...new Set(wrong.map(({ algorithm }) => algorithm))];
  return (
    <Notice
      kind="error"
      title={`${names.join(', ')} ${names.length === 1 ? 'gives' : 'give'} incorrect results: excluded from timing and training`}
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
  );
}

/** The edited shaders of a variant, or else its first. */
function culprits(shaders: readonly string[], edited: readonly string[]): string {
  const changed = shaders.filter((name) => edited.includes(name));
  const named = changed.length > 0 ? changed : shaders.slice(0, 1);
  return `${changed.length > 0 ? 'edited ' : ''}${named.map((name) => `${name}.wgsl`).join(', ')}`;
}
