import { Fragment, useState } from 'react';
import type { ConvChoice, ConvPin, ConvUse, LayerUse } from '../../../../worker/api.ts';
import { timeAxis } from '../../../charts/bars/time-axis.ts';
import { Button } from '../../../components/Button.tsx';
import { Icon } from '../../../components/Icon.tsx';
import * as format from '../../../format.ts';
import { useApp } from '../../../state/store.ts';
import type { Measurement } from '../batch.ts';
import { useByRequest } from '../by-request.ts';
import { Absences } from '../Absences.tsx';
import { Chip, Winners } from '../Chip.tsx';
import { useAlgorithms, type Measured } from '../lab-store.ts';
import { RaceTable } from '../race/RaceTable.tsx';
import type { Reading } from '../race/RaceView.tsx';
import { describe } from '../sizes.ts';
import { firstOf, isTimed, lanesOf, listing, ranking, wrongOf } from '../verdict.ts';
import styles from './TuneTable.module.css';

interface TuneTableProps {
  uses: readonly LayerUse[];
  batch: Measured | undefined;
  pins: readonly ConvPin[];
  exclude: readonly ConvChoice[];
  /** Why nothing can be tuned again now. */
  again: string | undefined;
  onAgain(index: number): void;
  onPin(use: LayerUse, choice: ConvChoice | undefined): void;
  onExclude(choice: ConvChoice): void;
  onRead(reading: Reading): void;
}

const BY: Readonly<Record<ConvUse['by'], string>> = { pin: 'pinned', find: 'measured', get: 'predicted' };

/** A row for each layer and direction; opened, it shows every launch that was tried. */
export function TuneTable(props: TuneTableProps) {
  const { uses, batch, onAgain, again } = props;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const measured = useByRequest(batch);
  const choices = useApp((state) => state.choices);
  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className="unseen">Convolutions of the model, by layer and direction</caption>
        <thead>
          <tr>
            <th scope="col">Layer</th>
            <th scope="col">Fastest</th>
            <th scope="col">Median</th>
            <th scope="col" title="How many times as fast as what is predicted without measuring">
              Over the default
            </th>
            <th scope="col">The next run uses</th>
            {choices && <th scope="col">This run uses</th>}
            <th scope="col">
              <span className="unseen">Tune again</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {uses.map((use, index) => {
            const key = `${use.layer} ${use.direction}`;
            const measurement = measured(use.sizes, use.direction);
            const opened = open.has(key);
            const running = choices?.[use.layer]?.[use.direction];
            return (
              <Fragment key={key}>
                <tr data-busy={measurement?.state === 'measuring' || undefined}>
                  <th scope="row">
                    <button
                      type="button"
                      aria-expanded={opened}
                      disabled={!measurement || measurement.tried.length === 0}
                      onClick={() => toggle(key)}
                      title={describe(use.sizes)}
                    >
                      <Icon name="chevron" />
                      {use.layer} {use.direction}
                    </button>
                  </th>
                  <Outcome measurement={measurement} use={use} />
                  <td>
                    <Used use={use.next} />
                    {use.next.by === 'pin' && (
                      <Button
                        kind="quiet"
                        title="Choose by measurement again"
                        onPress={() => props.onPin(use, undefined)}
                      >
                        Unpin
                      </Button>
                    )}
                  </td>
                  {choices && <td>{running && <Used use={running} />}</td>}
                  <td className={styles.again}>
                    <Button kind="quiet" icon="retry" obstacle={again} onPress={() => onAgain(index)}>
                      {measurement?.found ? 'Again' : 'Tune'}
                    </Button>
                  </td>
                </tr>
                {opened && measurement && (
                  <tr className={styles.details}>
                    <td colSpan={choices ? 7 : 6}>
                      <Details {...props} use={use} measurement={measurement} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** What won, and by how much. */
function Outcome({ measurement, use }: { measurement: Measurement | undefined; use: LayerUse }) {
  const ranked = measurement ? ranking(measurement) : [];
  const [winner] = ranked;
  if (!measurement || measurement.state === 'waiting' || !winner) {
    const text =
      measurement?.error?.message ??
      (measurement?.state === 'measuring'
        ? 'being measured…'
        : measurement?.found
          ? 'nothing answered'
          : 'not measured');
    return (
      <td colSpan={3} className={styles.none}>
        {text}
      </td>
    );
  }
  const first = measurement.found ? firstOf(measurement) : [winner];
  const wrong = new Set(wrongOf(measurement).map(({ algorithm }) => algorithm));
  const fallback = measurement.tried.find(
    ({ algorithm, launch }) => algorithm === use.predicted.algorithm && launch === use.predicted.launch,
  );
  const over = fallback && isTimed(fallback) ? fallback.median / winner.median : undefined;
  const isDefault = fallback && winner.algorithm === fallback.algorithm && winner.launch === fallback.launch;
  return (
    <>
      <td>
        <span className={styles.winner}>
          <Winners algorithms={first.map(({ algorithm }) => algorithm)} />
        </span>
        <span className={styles.launch}>{winner.launch}</span>
        {wrong.size > 0 && <span className={styles.wrong}>wrong: {listing([...wrong])}</span>}
      </td>
      <td className={styles.time}>{format.time(winner.median)}</td>
      <td title={`The default is ${use.predicted.algorithm}, ${use.predicted.launch}`}>
        {isDefault ? 'is the default' : over === undefined ? '–' : format.times(over)}
      </td>
    </>
  );
}

function Used({ use: { algorithm, launch, by } }: { use: ConvUse }) {
  return (
    <span className={styles.used}>
      <Chip algorithm={algorithm} bare />
      <span>
        {algorithm}
        <span className={styles.launch} title={launch}>
          {BY[by]}
        </span>
      </span>
    </span>
  );
}

function Details({
  use,
  measurement,
  pins,
  exclude,
  onPin,
  onExclude,
  onRead,
}: TuneTableProps & { use: LayerUse; measurement: Measurement }) {
  const algorithms = useAlgorithms();
  const lanes = lanesOf(
    measurement,
    algorithms.map(({ name }) => name),
  );
  const axis = timeAxis(
    'near',
    lanes.flatMap(({ best }) => best ?? []),
  );
  const isPinned = ({ algorithm, launch }: ConvChoice) =>
    pins.some(
      (pin) =>
        pin.layer === use.layer &&
        pin.direction === use.direction &&
        pin.algorithm === algorithm &&
        pin.launch === launch,
    );
  const isExcluded = ({ algorithm, launch }: ConvChoice) =>
    exclude.some((one) => one.algorithm === algorithm && one.launch === launch);
  const sound = (choice: ConvChoice) =>
    measurement.tried.some(
      (one) => isTimed(one) && one.algorithm === choice.algorithm && one.launch === choice.launch,
    );
  const renderMore = ({ algorithm, launch }: ConvChoice) => {
    const choice = { algorithm, launch };
    const pinned = isPinned(choice);
    return (
      <>
        <Button
          kind="quiet"
          icon="pin"
          obstacle={sound(choice) ? undefined : 'Only what computes rightly can be pinned.'}
          title={pinned ? 'Choose by measurement again' : 'Use this one in the runs that begin from now on'}
          onPress={() => onPin(use, pinned ? undefined : choice)}
        >
          {pinned ? 'Unpin' : 'Pin'}
          <span className="unseen">
            {algorithm}, {launch}
          </span>
        </Button>
        <Button
          kind="quiet"
          title="Leave it out when tuned again, for all layers"
          onPress={() => onExclude(choice)}
        >
          {isExcluded(choice) ? 'Include' : 'Exclude'}
          <span className="unseen">
            {algorithm}, {launch}
          </span>
        </Button>
      </>
    );
  };
  return (
    <>
      <p className={styles.sizes}>{describe(use.sizes)}</p>
      <RaceTable
        measurement={measurement}
        lanes={lanes}
        axis={axis}
        running={measurement.state === 'measuring'}
        onRead={({ algorithm, launch }) =>
          onRead({ request: measurement.request, choice: { algorithm, launch } })
        }
        more={renderMore}
      />
      <Absences measurement={measurement} />
    </>
  );
}
