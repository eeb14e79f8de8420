import type { ConvChoice, ConvPin, ConvUse, LayerUse } from '../../../worker/api.ts';
import { timeAxis } from '../../charts/bars/time-axis.ts';
import { Button } from '../../widgets/Button.tsx';
import { DataTable, type TableColumn } from '../../widgets/DataTable.tsx';
import { Icon } from '../../widgets/Icon.tsx';
import { variantName } from '../../components/variant-name.ts';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { byProblem, type Measurement } from './batch.ts';
import { Chip, IncorrectLanes, Winners } from './Chip.tsx';
import styles from './Tables.module.css';
import { useAlgorithms, type MeasuredBatch } from './lab-store.ts';
import { Absences, RaceTable, useOpenRows } from './RaceTable.tsx';
import type { ShownVariant } from './RaceView.tsx';
import { describe } from './sizes.ts';
import { gainOf, isPinned, missingOutcome, sameChoice } from './tuning.ts';
import { isTimed, lanesOf, namesOf, standingOf, type RaceStanding } from './verdict.ts';

interface TuneTableProps {
  uses: readonly LayerUse[];
  batch: MeasuredBatch | undefined;
  pins: readonly ConvPin[];
  exclude: readonly ConvChoice[];
  /** Why nothing can be tuned now. */
  obstacle: string | undefined;
  onTune(index: number): void;
  /** Without a choice: removes the pin. */
  onPin(use: LayerUse, choice: ConvChoice | undefined): void;
  /** Excludes a variant, or includes it again. */
  onExclude(choice: ConvChoice): void;
  onRead(reading: ShownVariant): void;
}

const BY: Readonly<Record<ConvUse['by'], string>> = {
  pin: 'pinned',
  find: 'measured',
  rules: 'by the rules',
  get: 'predicted',
};
const UNPIN = 'Use the fastest measured';

/** One row per layer and direction; an open row shows every variant that was tried. */
export function TuneTable(props: TuneTableProps) {
  const { uses, batch, obstacle, onTune, onPin } = props;
  const [open, toggle] = useOpenRows();
  const measured = byProblem(batch);
  const choices = useApp((state) => state.choices);
  const rows = uses.map((use, index): UseRow => {
    const measurement = measured(use.sizes, use.direction);
    const standing = standingOf(measurement);
    return { use, index, measurement, standing, running: choices?.[use.layer]?.[use.direction] };
  });
  return (
    <DataTable
      stacked
      caption="Convolutions of the model, by layer and direction"
      className={styles.uses}
      rows={rows}
      keyOf={nameOf}
      row={({ measurement }) => ({ 'data-busy': measurement?.state === 'measuring' || undefined })}
      below={(row) =>
        open.has(nameOf(row)) &&
        row.measurement && (
          <div className={styles.variants}>
            <Variants {...props} use={row.use} measurement={row.measurement} />
          </div>
        )
      }
      columns={[
        {
          title: 'Layer',
          render: (row) => (
            <LayerName {...row} opened={open.has(nameOf(row))} onToggle={() => toggle(nameOf(row))} />
          ),
        },
        ...OUTCOME,
        {
          title: 'Next run',
          render: ({ use }) => (
            <>
              <Used use={use.next} />
              {use.next.by === 'pin' && (
                <Button kind="quiet" title={UNPIN} onPress={() => onPin(use, undefined)}>
                  Unpin
                </Button>
              )}
            </>
          ),
        },
        choices && { title: 'This run', render: ({ running }) => running && <Used use={running} /> },
        {
          title: 'Tune again',
          unseen: true,
          className: styles.buttons,
          render: ({ index, measurement }) => (
            <Button kind="quiet" icon="retry" obstacle={obstacle} onPress={() => onTune(index)}>
              {measurement?.found ? 'Again' : 'Tune'}
            </Button>
          ),
        },
      ]}
    />
  );
}

/** A layer in one direction. */
interface UseRow {
  use: LayerUse;
  index: number;
  measurement: Measurement | undefined;
  standing: RaceStanding | undefined;
  /** What the open run uses. */
  running: ConvUse | undefined;
}

const nameOf = ({ use }: UseRow): string => `${use.layer} ${use.direction}`;

const NOTHING = <span className="faint">–</span>;

/** The gain of the fastest over the predicted variant. */
const gain = ({ use, measurement, standing }: UseRow): string | undefined =>
  measurement && standing && gainOf(measurement, standing.winner, use.predicted);

/** What was measured. */
const OUTCOME: readonly TableColumn<UseRow>[] = [
  {
    title: 'Fastest',
    render: (row) =>
      row.measurement && row.standing ? (
        <>
          <b>
            <Winners algorithms={namesOf(row.standing.first)} />
          </b>
          <small>{variantName(row.standing.winner.launch)}</small>
          <IncorrectLanes measurement={row.measurement} />
        </>
      ) : (
        <span className="faint">{missingOutcome(row.measurement)}</span>
      ),
  },
  {
    title: 'Median',
    render: ({ standing }) => (standing ? <b>{format.time(standing.winner.median)}</b> : NOTHING),
  },
  {
    title: 'Speed-up',
    hint: 'Speed-up over the predicted algorithm',
    cell: ({ use: { predicted }, standing }) => ({
      title: standing && `The default is ${predicted.algorithm}, ${variantName(predicted.launch)}`,
    }),
    render: (row) => gain(row) ?? NOTHING,
  },
];

interface LayerNameProps extends UseRow {
  opened: boolean;
  onToggle(): void;
}

/** A layer, with the button that shows its variants. */
const LayerName = ({ use, measurement, opened, onToggle }: LayerNameProps) => (
  <button
    type="button"
    className={`bare ${styles.toggle}`}
    aria-expanded={opened}
    disabled={!measurement || measurement.tried.length === 0}
    onClick={onToggle}
    title={describe(use.sizes)}
  >
    <Icon name="chevron" />
    {use.layer} {use.direction}
  </button>
);

function Used({ use: { algorithm, launch, by } }: { use: ConvUse }) {
  return (
    <span className="beside">
      <Chip algorithm={algorithm} bare />
      <span>
        {algorithm}
        <small title={variantName(launch)}>{BY[by]}</small>
      </span>
    </span>
  );
}

interface VariantsProps extends TuneTableProps {
  use: LayerUse;
  measurement: Measurement;
}

/** Every variant that was tried, with its pin and exclusion. */
function Variants({ use, measurement, pins, exclude, onPin, onExclude, onRead }: VariantsProps) {
  const algorithms = useAlgorithms();
  const lanes = lanesOf(
    measurement,
    algorithms.map(({ name }) => name),
  );
  const axis = timeAxis(
    'near',
    lanes.flatMap(({ best }) => best ?? []),
  );
  const renderMore = ({ algorithm, launch }: ConvChoice) => {
    const choice = { algorithm, launch };
    const pinned = isPinned(pins, use, choice);
    const verified = measurement.tried.some((one) => isTimed(one) && sameChoice(one, choice));
    const name = (
      <span className="unseen">
        {algorithm}, {variantName(launch)}
      </span>
    );
    return (
      <>
        <Button
          kind="quiet"
          icon="pin"
          obstacle={verified ? undefined : 'Only verified variants can be pinned.'}
          title={pinned ? UNPIN : 'Always use this variant in new runs'}
          onPress={() => onPin(use, pinned ? undefined : choice)}
        >
          {pinned ? 'Unpin' : 'Pin'}
          {name}
        </Button>
        <Button
          kind="quiet"
          title="Exclude this variant from tuning, for all layers"
          onPress={() => onExclude(choice)}
        >
          {exclude.some((one) => sameChoice(one, choice)) ? 'Include' : 'Exclude'}
          {name}
        </Button>
      </>
    );
  };
  return (
    <>
      <p className="fine">{describe(use.sizes)}</p>
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
