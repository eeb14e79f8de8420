import { useEffect, useRef, useState } from 'react';
import { timeAxis, type TimeAxis, type TimeScale } from '../../charts/bars/time-axis.ts';
import { copyText } from '../../clipboard.ts';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { FailureNotice, Callout, NoticeStack } from '../../widgets/Notice.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { glideTo } from '../../components/glide.ts';
import { variantName } from '../../components/variant-name.ts';
import * as format from '../../format.ts';
import { isRunning, type Measurement } from './batch.ts';
import { challengeLink, challengeText } from './challenge.ts';
import { Interruption } from './controls.tsx';
import { cpuCaption, cpuLane } from './cpu-lane.ts';
import styles from './Lab.module.css';
import { useAlgorithms, useLab, type MeasuredBatch } from './lab-store.ts';
import { measureMore } from './race.ts';
import { Absences, RaceTable } from './RaceTable.tsx';
import type { ShownVariant } from './RaceView.tsx';
import { LabFooter } from './LabFooter.tsx';
import { describe } from './sizes.ts';
import { legendOf } from './variant-names.ts';
import {
  comparisonInWords,
  comparisonsOf,
  laneName,
  lanesOf,
  type RaceLane,
  unclearOf,
  verdict,
  wrongOf,
  yourErrors,
} from './verdict.ts';

interface RaceResultProps {
  batch: MeasuredBatch;
  /** An editor is open, which has `Outcome` beside it. */
  isEditing: boolean;
  onRead(reading: ShownVariant): void;
}

/** A race, running or finished. */
export function RaceResult({ batch, isEditing, onRead }: RaceResultProps) {
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
        <p className={styles.edited}>
          {untouched(batch)
            ? `No variant in this race uses ${batch.edited.map((name) => `${name}.wgsl`).join(', ')}.`
            : `With your version of ${batch.edited.map((name) => `${name}.wgsl`).join(', ')} beside the original.`}
        </p>
      )}
      <NoticeStack>
        <Interruption view="race" />
      </NoticeStack>
      {measurements.map((measurement, i) => (
        <section key={measurement.request.number} className={styles.result}>
          {measurements.length > 1 && (
            <h3>{measurement.request.number === 'f16' ? 'float16, sums in float32' : 'float32'}</h3>
          )}
          <OneResult {...{ batch, measurement, axis, isEditing, onRead }} lanes={lanes[i]} />
        </section>
      ))}
      <LabFooter kind="race" batch={batch} title={title} />
    </Panel>
  );
}

interface OneResultProps extends RaceResultProps {
  measurement: Measurement;
  lanes: readonly RaceLane[];
  axis: TimeAxis | undefined;
}

/** The race with numbers of one type. */
const OneResult = ({ batch, measurement, lanes, axis, isEditing, onRead }: OneResultProps) => (
  <>
    <Headline measurement={measurement} batch={batch} />
    <NoticeStack>
      {!isEditing && <Incorrect measurement={measurement} edited={batch.edited} />}
      {measurement.error && (
        <FailureNotice kind="warning" title="Measurement failed" error={measurement.error} />
      )}
    </NoticeStack>
    {lanes.length > 0 && !measurement.error && (
      <RaceTable
        measurement={measurement}
        lanes={lanes}
        axis={axis}
        running={isRunning(batch)}
        onRead={(choice) => onRead({ request: measurement.request, choice })}
      />
    )}
    {!isEditing && <Yours measurement={measurement} batch={batch} />}
    <VariantNames measurement={measurement} />
    {measurement.cpu && <p className="fine">{cpuCaption(measurement.cpu, measurement.request.sizes.N)}</p>}
    <Absences measurement={measurement} />
  </>
);

/** What became of edited kernels, beside their editor and in view: the rest of the race may not be. */
export function Outcome() {
  const batch = useLab((state) => state.batches.race);
  return batch?.measurements.map((measurement) => (
    <OutcomeOf key={measurement.request.number} measurement={measurement} batch={batch} />
  ));
}

function OutcomeOf({ measurement, batch }: { measurement: Measurement; batch: MeasuredBatch }) {
  const outcome = useRef<HTMLDivElement>(null);
  const found = measurement.state === 'found' && batch.edited.length > 0 ? batch.job : undefined;
  const known = useRef(found);
  useEffect(() => {
    if (found !== known.current) glideTo(outcome.current, 'nearest');
    known.current = found;
  }, [found]);
  return (
    <div ref={outcome} className={styles.outcome}>
      {batch.edited.length > 0 && (
        <p className="soft">
          {measurement.state === 'found'
            ? format.prose(yourErrors(measurement).join(' '))
            : progressOf(measurement, batch)}
        </p>
      )}
      <Incorrect measurement={measurement} edited={batch.edited} />
      <Yours measurement={measurement} batch={batch} />
    </div>
  );
}

/** The race is over, and had no use for the edited files. */
const untouched = ({ measurements, state }: MeasuredBatch): boolean =>
  state === 'done' && !measurements.some(({ tried }) => tried.some(({ yours }) => yours));

/** The verdict, or the progress. One line high throughout. */
function Headline({ measurement, batch }: { measurement: Measurement; batch: MeasuredBatch }) {
  const { state } = measurement;
  const text = state === 'found' ? format.prose(verdict(measurement)) : progressOf(measurement, batch);
  const unclear = unclearOf(measurement).length > 0 && !isRunning(batch);
  return (
    <div className="row">
      <p className={styles.headline} data-found={state === 'found' || undefined} aria-live="polite">
        {text}
      </p>
      {unclear && (
        <Button
          icon="retry"
          title="Measure more samples where intervals overlap"
          onPress={() => void measureMore(measurement)}
        >
          Measure more
        </Button>
      )}
    </div>
  );
}

/** How far a race is that has no verdict yet. */
function progressOf({ state, tried, compiling }: Measurement, batch: MeasuredBatch): string {
  const variants = `${tried.length} ${tried.length === 1 ? 'variant' : 'variants'}`;
  if (state === 'measuring') {
    const { done = 0, total = 0, yours = false } = compiling ?? {};
    if (done < total || total === 0) {
      const count = total === 0 ? '' : `: ${done} of ${total}`;
      return `Compiling ${yours ? 'your kernels' : 'the kernels'}${count}…`;
    }
    return `Verifying and timing: ${variants} so far…`;
  }
  if (batch.state === 'cancelled') return `Stopped after ${variants}.`;
  return isRunning(batch) ? 'Queued…' : '';
}

/** Edited WGSL against the original: the difference, and the result to share. */
function Yours({ measurement, batch }: { measurement: Measurement; batch: MeasuredBatch }) {
  const race = useLab((state) => state.race);
  const edits = useLab((state) => state.edits);
  const [status, setStatus] = useState('');
  const comparisons = measurement.state === 'found' ? comparisonsOf(measurement) : [];
  if (comparisons.length === 0) return null;
  const linkTo = async () => new URL(await challengeLink(race, edits), location.href).href;
  const copy = async (what: Promise<string>) =>
    setStatus((await copyText(what)) ? 'Copied.' : 'Could not copy. Allow this page to use the clipboard.');
  return comparisons.map((comparison) => (
    <section key={comparison.yours.algorithm} className={`card ${styles.yours}`} aria-label="Your kernel">
      <p>
        <b>{format.prose(comparisonInWords(comparison))}</b>
      </p>
      <p className="fine">
        Error against float64: {format.relativeError(comparison.yours.error)}, the original’s{' '}
        {format.relativeError(comparison.original.error)}. 95 % confidence intervals.
      </p>
      <div className="row">
        <Button
          icon="copy"
          title="Copy the difference, interval, error, problem and adapter as text, with a link to your kernel"
          onPress={() =>
            void copy(
              linkTo().then((link) =>
                challengeText(measurement, comparison, {
                  adapter: batch.adapter,
                  browser: navigator.userAgent,
                  date: batch.date,
                  link,
                }),
              ),
            )
          }
        >
          Copy result
        </Button>
        <Button
          icon="link"
          title="Copy a link to this race with your kernel, for others to beat"
          onPress={() => void copy(linkTo())}
        >
          Copy challenge
        </Button>
        <span role="status" className="faint">
          {status}
        </span>
      </div>
    </section>
  ));
}

/** What the short names of the variants mean. */
function VariantNames({ measurement: { tried } }: { measurement: Measurement }) {
  const legend = legendOf(tried.map(({ launch }) => launch));
  if (legend.length === 0) return null;
  return (
    <details className={`fine ${styles.names}`}>
      <summary>What the variant names mean</summary>
      <dl>
        {legend.map(([example, meaning]) => (
          <div key={meaning}>
            <dt>{example}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Names the variants with incorrect results: nobody should have to look for them. */
function Incorrect({ measurement, edited }: { measurement: Measurement; edited: readonly string[] }) {
  const wrong = wrongOf(measurement);
  if (wrong.length === 0) return null;
  const names = [...new Set(wrong.map(laneName))];
  return (
    <Callout
      kind="error"
      title={`${names.join(', ')} ${names.length === 1 ? 'gives' : 'give'} incorrect results: excluded from timing and training`}
    >
      <ul>
        {wrong.map(({ launch, reason, shaders, ...lane }) => (
          <li key={`${laneName(lane)} ${launch}`}>
            <b>
              {laneName(lane)}, “{variantName(launch)}”
            </b>{' '}
            ({culprits(shaders, edited)}): {reason}
          </li>
        ))}
      </ul>
      {measurement.found?.doubt && <p>{measurement.found.doubt}</p>}
    </Callout>
  );
}

/** The edited shaders of a variant, or else its first. */
function culprits(shaders: readonly string[], edited: readonly string[]): string {
  const changed = shaders.filter((name) => edited.includes(name));
  const named = changed.length > 0 ? changed : shaders.slice(0, 1);
  return `${changed.length > 0 ? 'edited ' : ''}${named.map((name) => `${name}.wgsl`).join(', ')}`;
}
