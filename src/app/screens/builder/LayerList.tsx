import { useEffect, useRef, useState, type DragEvent } from 'react';
import type { LayerDescription } from '../../../worker/api.ts';
import { Button } from '../../widgets/Button.tsx';
import { DataTable } from '../../widgets/DataTable.tsx';
import { Icon } from '../../widgets/Icon.tsx';
import { LayerPicture } from '../../components/LayerPicture.tsx';
import * as format from '../../format.ts';
import { build as texts } from '../../messages/en/build.tsx';
import styles from './Build.module.css';
import { applyFix, focusRow, moveAfter, select, toggle, useBuild } from './build-store.ts';
import { listKey } from './keys.ts';
import { DRAGGED_ENTRY, useEntries } from './Palette.tsx';
import { itemsOf, rowsOf, type TreeRow } from './tree.ts';
import { costsOf, useBatchSize, useKnown, useModel, useTimes, type KnownModel } from './use-known.ts';
import { amount, detailsOf, shapeText, within } from './words.ts';

const DRAGGED_ROW = 'application/x-wgrad-row';

interface LayerListProps {
  toPalette(): void;
  toSettings(): void;
}

/** The model as a list of layers and blocks, from input to output. Every edit has its key. */
export function LayerList({ toPalette, toSettings }: LayerListProps) {
  const model = useModel();
  const known = useKnown();
  const times = useTimes();
  const batch = useBatchSize();
  const open = useBuild((state) => state.open);
  const selected = useBuild((state) => state.selected);
  const focusRequests = useBuild((state) => state.focusRequests);
  const current = useRef<HTMLTableRowElement>(null);
  const rows = rowsOf(itemsOf(model.layers), open);
  useEffect(() => {
    if (focusRequests > 0) current.current?.focus();
  }, [focusRequests]);
  const [over, setOver] = useState<string>();
  const drop = useDrop(setOver);
  const shown = rows.map((row) => {
    const inside =
      row.kind === 'block' && !row.open ? model.layers.slice(row.part.first, row.part.last + 1) : [];
    const time = times && row.kind !== 'image' ? times.ofPart(row.part) : undefined;
    return {
      row,
      costs: costsOf(model, known, row.part),
      output: row.kind === 'image' ? model.input : known.layers.get(model.layers[row.part.last].name)?.output,
      errors: known.errors.filter(
        ({ name }) =>
          (row.kind === 'layer' && name === row.id) || inside.some((layer) => layer.name === name),
      ),
      time: time && `${format.time(time.forward)} + ${format.time(time.backward)}`,
    };
  });
  return (
    <DataTable
      caption={texts.list.caption(model.title)}
      fits
      className={styles.list}
      table={{
        role: 'treegrid',
        onKeyDown(event) {
          // Buttons inside the table have keys of their own.
          if (!(event.target instanceof HTMLTableRowElement)) return;
          if (listKey(event, { toPalette, toSettings })) event.preventDefault();
        },
      }}
      rows={shown}
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
        draggable: row.kind !== 'image',
        onClick: () => select(row.id),
        onDoubleClick: () => row.kind === 'block' && toggle(row.id),
        onDragStart(event) {
          event.dataTransfer.setData(DRAGGED_ROW, row.id);
          event.dataTransfer.effectAllowed = 'move';
        },
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
      columns={[
        {
          title: texts.list.layer,
          cell: ({ row }) => ({ style: { paddingInlineStart: `${0.25 + 1.25 * (row.level - 1)}rem` } }),
          render: ({ row, output }) => (
            <div className={styles.layer}>
              <RowTitle row={row} output={output} />
            </div>
          ),
        },
        {
          title: texts.inspector.output,
          face: (
            <>
              {texts.inspector.output}
              {times && <small className={styles.narrow}>{texts.list.times}</small>}
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
        times && {
          title: texts.list.times,
          hint: texts.list.timesTitle(times.batchSize),
          className: styles.wide,
          render: ({ time }) => time ?? '–',
        },
      ]}
    />
  );
}

function RowTitle({ row, output }: { row: TreeRow; output: LayerDescription['output'] }) {
  const model = useModel();
  const kinds = useBuild((state) => state.catalogue?.kinds);
  if (row.kind === 'image') {
    return (
      <>
        <LayerPicture shape={model.input} />
        <span className={styles.words}>
          <b>{texts.inspector.image}</b>
        </span>
      </>
    );
  }
  if (row.kind === 'block') {
    const { join, first, last } = row.block;
    const residual = model.layers[join].op === 'add';
    return (
      <>
        <button
          type="button"
          tabIndex={-1}
          className={`bare ${styles.chevron}`}
          aria-label={row.open ? texts.inspector.collapse : texts.inspector.expand}
          onClick={() => toggle(row.id)}
        >
          <Icon name="chevron" />
        </button>
        <span className={styles.words}>
          <b>{residual ? texts.inspector.residual : texts.inspector.parallel}</b>
          <span>{texts.list.layers(last - first + 1)}</span>
          <code>{within(row.inside, row.block.name)}</code>
        </span>
      </>
    );
  }
  const layer = model.layers[row.at];
  return (
    <>
      {output ? <LayerPicture shape={output} /> : <span className={styles.noPicture} />}
      <span className={styles.words}>
        <b>{kinds?.find(({ op }) => op === layer.op)?.title ?? layer.op}</b>
        <span>{detailsOf(layer, row.inside)}</span>
        <code title={layer.name}>{within(row.inside, layer.name)}</code>
      </span>
    </>
  );
}

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
