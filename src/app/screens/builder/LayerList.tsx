import { useEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import type { LayerDescription } from '../../../worker/api.ts';
import { Button } from '../../widgets/Button.tsx';
import { DataTable, type TableColumn } from '../../widgets/DataTable.tsx';
import { Icon } from '../../widgets/Icon.tsx';
import { LayerPicture } from '../../components/LayerPicture.tsx';
import * as format from '../../format.ts';
import { build as texts } from '../../messages/en/build.tsx';
import styles from './Build.module.css';
import { applyFix, focusRow, moveAfter, select, toggle, useBuild } from './build-store.ts';
import { listKey } from './keys.ts';
import { DRAGGED_ENTRY, useEntries } from './Palette.tsx';
import { itemsOf, rowsOf, type TreeRow } from './tree.ts';
import {
  costsOf,
  useBatchSize,
  useKnown,
  useModel,
  useTimes,
  type Costs,
  type KnownModel,
} from './use-known.ts';
import { amount, nameIn, shapeText, subtitleOf, titleOf } from './words.ts';

const DRAGGED_ROW = 'application/x-wgrad-row';

interface LayerListProps {
  toPalette(): void;
  toSettings(): void;
}

/** A row and what is known of it. */
interface ListedRow {
  row: TreeRow;
  costs: Costs;
  output: LayerDescription['output'];
  errors: KnownModel['errors'];
  /** Of its forward and its backward pass. */
  time: string | undefined;
}

/** The visible rows. A collapsed block has the errors of its layers. */
function useListedRows(): ListedRow[] {
  const model = useModel();
  const known = useKnown();
  const times = useTimes();
  const open = useBuild((state) => state.open);
  return rowsOf(itemsOf(model.layers), open).map((row) => {
    const { first, last } = row.part;
    const names =
      row.kind === 'image' || (row.kind === 'block' && row.open)
        ? []
        : model.layers.slice(first, last + 1).map(({ name }) => name);
    const time = row.kind === 'image' ? undefined : times?.ofPart(row.part);
    return {
      row,
      costs: costsOf(model, known, row.part),
      output: row.kind === 'image' ? model.input : known.layers.get(model.layers[last].name)?.output,
      errors: known.errors.filter(({ name }) => names.includes(name)),
      time: time && `${format.time(time.forward)} + ${format.time(time.backward)}`,
    };
  });
}

/** @param timed the batch size of the profile that the times are of */
const columnsOf = (batch: number, timed: number | undefined): (TableColumn<ListedRow> | false)[] => [
  {
    title: texts.list.layer,
    cell: ({ row }) => ({ style: { paddingInlineStart: `${0.25 + 1.25 * (row.level - 1)}rem` } }),
    render: ({ row, output }) => <RowTitle row={row} output={output} />,
  },
  {
    title: texts.inspector.output,
    face: (
      <>
        {texts.inspector.output}
        {timed !== undefined && <small className={styles.narrow}>{texts.list.times}</small>}
      </>
    ),
    render: ({ output, time }) => (
      <>
        {shapeText(output)}
        {time && <small className={styles.narrow}>{time}</small>}
      </>
    ),
  },
  {
    title: texts.inspector.parameters,
    className: styles.wide,
    render: ({ row, costs }) => row.kind !== 'image' && amount(costs.parameters),
  },
  {
    title: texts.list.macs,
    hint: texts.list.macsTitle,
    className: styles.wide,
    render: ({ row, costs }) => row.kind !== 'image' && amount(costs.multiplyAdds),
  },
  {
    title: texts.inspector.memory,
    hint: texts.list.memoryTitle(batch),
    className: styles.wide,
    render: ({ row, costs }) =>
      row.kind === 'image' || costs.activationBytes === 0
        ? '–'
        : format.memory(batch * costs.activationBytes),
  },
  timed !== undefined && {
    title: texts.list.times,
    hint: texts.list.timesTitle(timed),
    className: styles.wide,
    render: ({ time }) => time ?? '–',
  },
];

/** The model as a list of layers and blocks, from input to output. Every edit has its key. */
export function LayerList({ toPalette, toSettings }: LayerListProps) {
  const { title } = useModel();
  const rows = useListedRows();
  const columns = columnsOf(useBatchSize(), useTimes()?.batchSize);
  const selected = useBuild((state) => state.selected);
  const focusRequests = useBuild((state) => state.focusRequests);
  const current = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (focusRequests > 0) current.current?.focus();
  }, [focusRequests]);
  const [over, setOver] = useState<string>();
  const drop = useDrop(setOver);
  const pressed = (event: KeyboardEvent) => {
    // Buttons inside the table have keys of their own.
    if (!(event.target instanceof HTMLTableRowElement)) return;
    if (listKey(event, { toPalette, toSettings })) event.preventDefault();
  };
  return (
    <DataTable
      caption={texts.list.caption(title)}
      fits
      className={styles.list}
      table={{ role: 'treegrid', onKeyDown: pressed }}
      rows={rows}
      keyOf={({ row }) => row.id}
      row={({ row, errors }) => ({
        ref: row.id === selected ? current : undefined,
        tabIndex: row.id === selected ? 0 : -1,
        'aria-level': row.level,
        'aria-expanded': row.kind === 'block' ? row.open : undefined,
        'aria-selected': row.id === selected,
        'data-invalid': errors.some(({ incomplete }) => !incomplete) || undefined,
        'data-over': row.id === over || undefined,
        className: styles.row,
        onClick: () => select(row.id),
        onDoubleClick: () => row.kind === 'block' && toggle(row.id),
        ...drag(row),
        ...drop(row.id),
      })}
      below={({ row, errors }) =>
        errors.length > 0 && (
          <div className="stack" style={{ marginInlineStart: `${1.25 * (row.level - 1)}rem` }}>
            {errors.map((error) => (
              <ErrorNote key={`${error.name} ${error.message}`} error={error} named={row.kind === 'block'} />
            ))}
          </div>
        )
      }
      columns={columns}
    />
  );
}

/** A picture of its output, or for a block what expands it; what it is, and its name. */
function RowTitle({ row, output }: Pick<ListedRow, 'row' | 'output'>) {
  const { layers } = useModel();
  const kinds = useBuild((state) => state.catalogue?.kinds);
  return (
    <div className={styles.layer}>
      {row.kind === 'block' ? (
        <button
          type="button"
          tabIndex={-1}
          className={`bare ${styles.chevron}`}
          aria-label={row.open ? texts.inspector.collapse : texts.inspector.expand}
          onClick={() => toggle(row.id)}
        >
          <Icon name="chevron" />
        </button>
      ) : output ? (
        <LayerPicture shape={output} />
      ) : (
        <span className={styles.noPicture} />
      )}
      <span className={styles.words}>
        <b>{titleOf(row, layers, kinds)}</b>
        <span>{subtitleOf(row, layers)}</span>
        {row.kind !== 'image' && <code title={row.kind === 'layer' ? row.id : undefined}>{nameIn(row)}</code>}
      </span>
    </div>
  );
}

/** Lets a row be dragged; the image stays first. */
const drag = (row: TreeRow) => ({
  draggable: row.kind !== 'image',
  onDragStart({ dataTransfer }: DragEvent) {
    dataTransfer.setData(DRAGGED_ROW, row.id);
    dataTransfer.effectAllowed = 'move';
  },
});

/** Lets rows and entries of the palette be dropped on a row, to come after it. @param setOver receives the row under the pointer */
function useDrop(setOver: (id: string | undefined) => void) {
  const entries = useEntries();
  const wanted = ({ dataTransfer }: DragEvent) =>
    dataTransfer.types.includes(DRAGGED_ROW) || dataTransfer.types.includes(DRAGGED_ENTRY);
  return (id: string) => ({
    onDragOver(event: DragEvent) {
      if (!wanted(event)) return;
      event.preventDefault();
      setOver(id);
    },
    onDragLeave: () => setOver(undefined),
    onDrop(event: DragEvent) {
      setOver(undefined);
      if (!wanted(event)) return;
      event.preventDefault();
      event.stopPropagation();
      const row = event.dataTransfer.getData(DRAGGED_ROW);
      if (row) moveAfter(row, id);
      else entries.find(({ name }) => name === event.dataTransfer.getData(DRAGGED_ENTRY))?.add(id);
    },
  });
}

interface ErrorNoteProps {
  error: KnownModel['errors'][number];
  /** Whether to name the layer. */
  named: boolean;
}

/** An error and its fixes. */
export function ErrorNote({ error, named }: ErrorNoteProps) {
  const { current } = useKnown();
  return (
    <div className={styles.errorNote} data-tone={error.incomplete ? 'info' : 'error'}>
      <Icon name={error.incomplete ? 'info' : 'warning'} />
      <p>
        {named && error.name && <b>{error.name}: </b>}
        {format.prose(`${error.message} ${error.advice ?? ''}`)}
      </p>
      {error.fixes.length > 0 && (
        <div className={styles.fixes}>
          {error.fixes.map(({ title, layers }) => (
            <Button
              key={title}
              icon="check"
              obstacle={current ? undefined : texts.checking}
              onPress={() => {
                applyFix(title, layers);
                focusRow();
              }}
            >
              {format.prose(title)}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
