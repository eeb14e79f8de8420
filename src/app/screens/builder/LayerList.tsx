import { useEffect, useRef, useState, type DragEvent, type Ref } from 'react';
import type { LayerDescription } from '../../../worker/api.ts';
import { Button } from '../../widgets/Button.tsx';
import { Heads } from '../../widgets/Heads.tsx';
import { Icon } from '../../widgets/Icon.tsx';
import { LayerPicture } from '../../components/LayerPicture.tsx';
import * as format from '../../format.ts';
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
  type KnownModel,
  type LayerTimes,
} from './use-known.ts';
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
  return (
    <table
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- ARIA's treegrid is a table
      role="treegrid"
      aria-label={`Layers of ${model.title}`}
      className={styles.list}
      onKeyDown={(event) => {
        // Buttons inside the table have keys of their own.
        if (!(event.target instanceof HTMLTableRowElement)) return;
        if (listKey(event, { toPalette, toSettings })) event.preventDefault();
      }}
    >
      <Heads
        of={[
          'Layer',
          { name: 'Output', children: times && <small className={styles.narrow}>Fwd + bwd</small> },
          { name: 'Parameters', className: styles.wide },
          { name: 'MACs', className: styles.wide, title: 'Multiply–accumulate operations per image' },
          { name: 'Memory', className: styles.wide, title: `Activations at batch size ${batch}` },
          times && {
            name: 'Fwd + bwd',
            className: styles.wide,
            title: `Forward + backward per step, batch size ${times.batchSize}`,
          },
        ]}
      />
      <tbody>
        {rows.map((row) => (
          <LayerRow
            key={row.id}
            row={row}
            known={known}
            times={times}
            ref={row.id === selected ? current : undefined}
            selected={row.id === selected}
          />
        ))}
      </tbody>
    </table>
  );
}

interface LayerRowProps {
  row: TreeRow;
  known: KnownModel;
  times: LayerTimes | undefined;
  selected: boolean;
  ref: Ref<HTMLTableRowElement> | undefined;
}

function LayerRow({ row, known, times, selected, ref }: LayerRowProps) {
  const model = useModel();
  const batch = useBatchSize();
  const [over, setOver] = useState(false);
  const drop = useDrop(row.id, setOver);
  const costs = costsOf(model, known, row.part);
  const last = model.layers[row.part.last];
  const output = row.kind === 'image' ? model.input : known.layers.get(last.name)?.output;
  const inside =
    row.kind === 'block' && !row.open ? model.layers.slice(row.part.first, row.part.last + 1) : [];
  const errors = known.errors.filter(
    ({ name }) => (row.kind === 'layer' && name === row.id) || inside.some((layer) => layer.name === name),
  );
  const invalid = errors.some(({ incomplete }) => !incomplete);
  const time = times && row.kind !== 'image' ? times.ofPart(row.part) : undefined;
  const timeText = time ? `${format.time(time.forward)} + ${format.time(time.backward)}` : '–';
  return (
    <>
      <tr
        ref={ref}
        tabIndex={selected ? 0 : -1}
        aria-level={row.level}
        aria-expanded={row.kind === 'block' ? row.open : undefined}
        aria-selected={selected}
        data-invalid={invalid || undefined}
        data-over={over || undefined}
        className={styles.row}
        draggable={row.kind !== 'image'}
        onClick={() => select(row.id)}
        onDoubleClick={() => row.kind === 'block' && toggle(row.id)}
        onDragStart={(event) => {
          event.dataTransfer.setData(DRAGGED_ROW, row.id);
          event.dataTransfer.effectAllowed = 'move';
        }}
        {...drop}
      >
        <td style={{ paddingInlineStart: `${0.25 + 1.25 * (row.level - 1)}rem` }}>
          <div className={styles.layer}>
            <RowTitle row={row} output={output} />
          </div>
        </td>
        <td>
          {shapeText(output)}
          {time && <small className={styles.narrow}>{timeText}</small>}
        </td>
        <td className={styles.wide}>{row.kind === 'image' ? '' : amount(costs.parameters)}</td>
        <td className={styles.wide}>{row.kind === 'image' ? '' : amount(costs.multiplyAdds)}</td>
        <td className={styles.wide}>
          {row.kind === 'image' || costs.activationBytes === 0
            ? '–'
            : format.memory(batch * costs.activationBytes)}
        </td>
        {times && <td className={styles.wide}>{timeText}</td>}
      </tr>
      {errors.map((error) => (
        <tr key={`${error.name} ${error.message}`} className={styles.errorRow}>
          <td colSpan={times ? 6 : 5}>
            <div style={{ marginInlineStart: `${1.25 * (row.level - 1)}rem` }}>
              <ErrorNote error={error} named={row.kind === 'block'} />
            </div>
          </td>
        </tr>
      ))}
    </>
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
          <b>Image</b>
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
          aria-label={row.open ? 'Collapse block' : 'Expand block'}
          onClick={() => toggle(row.id)}
        >
          <Icon name="chevron" />
        </button>
        <span className={styles.words}>
          <b>{residual ? 'Residual block' : 'Parallel branches'}</b>
          <span>{last - first + 1} layers</span>
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

/** Lets rows and entries of the palette be dropped on a row, to come after it. */
function useDrop(id: string, setOver: (over: boolean) => void) {
  const entries = useEntries();
  const wanted = ({ dataTransfer }: DragEvent) =>
    dataTransfer.types.includes(DRAGGED_ROW) || dataTransfer.types.includes(DRAGGED_ENTRY);
  return {
    onDragOver(event: DragEvent) {
      if (!wanted(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      setOver(false);
      if (!wanted(event)) return;
      event.preventDefault();
      event.stopPropagation();
      const row = event.dataTransfer.getData(DRAGGED_ROW);
      if (row) moveAfter(row, id);
      else entries.find(({ name }) => name === event.dataTransfer.getData(DRAGGED_ENTRY))?.add(id);
    },
  };
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
              obstacle={current ? undefined : 'Checking the changed model…'}
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
