import { useEffect, useRef, useState, type DragEvent, type Ref } from 'react';
import type { LayerDescription } from '../../../worker/api.ts';
import { Icon } from '../../components/Icon.tsx';
import { LayerPicture } from '../../components/LayerPicture.tsx';
import * as format from '../../format.ts';
import { moveBehind, select, toggle, useBuild } from './build-store.ts';
import { listKey } from './keys.ts';
import styles from './LayerList.module.css';
import { MistakeNote } from './MistakeNote.tsx';
import { DRAGGED_ENTRY, useEntries } from './Palette.tsx';
import { itemsOf, rowsOf, type Row } from './tree.ts';
import { costsOf, useBatchSize, useKnown, useModel, type Known } from './use-known.ts';
import { useTimes, type LayerTimes } from './use-times.ts';
import { amount, detailsOf, shapeText, within } from './words.ts';

const DRAGGED_ROW = 'application/x-wgrad-row';

interface LayerListProps {
  toPalette(): void;
  toSettings(): void;
}

/** The model as a list of layers and blocks, from the image to the answer; every edit has its key. */
export function LayerList({ toPalette, toSettings }: LayerListProps) {
  const model = useModel();
  const known = useKnown();
  const times = useTimes();
  const batch = useBatchSize();
  const open = useBuild((state) => state.open);
  const selected = useBuild((state) => state.selected);
  const wantsFocus = useBuild((state) => state.wantsFocus);
  const current = useRef<HTMLTableRowElement>(null);
  const rows = rowsOf(itemsOf(model.layers), open);
  useEffect(() => {
    if (wantsFocus > 0) current.current?.focus();
  }, [wantsFocus]);
  return (
    <table
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- ARIA's treegrid is a table
      role="treegrid"
      aria-label={`Layers of ${model.title}`}
      className={styles.list}
      onKeyDown={(event) => {
        // Buttons of mends have keys of their own.
        if (!(event.target instanceof HTMLTableRowElement)) return;
        if (listKey(event, { toPalette, toSettings })) event.preventDefault();
      }}
    >
      <thead>
        <tr>
          <th scope="col">Layer</th>
          <th scope="col">Output</th>
          <th scope="col" className={styles.wide}>
            Parameters
          </th>
          <th scope="col" className={styles.wide} title="For one image">
            Multiply-adds
          </th>
          <th scope="col" className={styles.wide} title={`Activations of ${batch} images`}>
            Memory
          </th>
          {times && (
            <th
              scope="col"
              className={styles.wide}
              title={`Forward and backward, of a step with ${times.batchSize} images`}
            >
              Time
            </th>
          )}
        </tr>
      </thead>
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
  row: Row;
  known: Known;
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
  const mistakes = known.mistakes.filter(
    ({ name }) => (row.kind === 'layer' && name === row.id) || inside.some((layer) => layer.name === name),
  );
  const wrong = mistakes.some(({ unfinished }) => !unfinished);
  const time = times && row.kind !== 'image' ? times.ofPart(row.part) : undefined;
  return (
    <>
      <tr
        ref={ref}
        tabIndex={selected ? 0 : -1}
        aria-level={row.level}
        aria-expanded={row.kind === 'block' ? row.open : undefined}
        aria-selected={selected}
        data-wrong={wrong || undefined}
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
        <td className={styles.layer} style={{ paddingInlineStart: `${0.25 + 1.25 * (row.level - 1)}rem` }}>
          <div>
            <RowTitle row={row} output={output} />
          </div>
        </td>
        <td className={styles.shape}>{shapeText(output)}</td>
        <td className={styles.wide}>{row.kind === 'image' ? '' : amount(costs.parameters)}</td>
        <td className={styles.wide}>{row.kind === 'image' ? '' : amount(costs.multiplyAdds)}</td>
        <td className={styles.wide}>
          {row.kind === 'image' || costs.activationBytes === 0
            ? '–'
            : format.memory(batch * costs.activationBytes)}
        </td>
        {times && (
          <td className={styles.wide}>
            {time ? `${format.time(time.forward)} + ${format.time(time.backward)}` : '–'}
          </td>
        )}
      </tr>
      {mistakes.map((mistake) => (
        <tr key={`${mistake.name} ${mistake.message}`} className={styles.mistakeRow}>
          <td colSpan={times ? 6 : 5}>
            <div style={{ marginInlineStart: `${1.25 * (row.level - 1)}rem` }}>
              <MistakeNote mistake={mistake} named={row.kind === 'block'} />
            </div>
          </td>
        </tr>
      ))}
    </>
  );
}

function RowTitle({ row, output }: { row: Row; output: LayerDescription['output'] }) {
  const model = useModel();
  const kinds = useBuild((state) => state.catalogue?.kinds);
  if (row.kind === 'image') {
    return (
      <>
        <LayerPicture shape={model.input} />
        <span className={styles.title}>Image</span>
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
          className={styles.chevron}
          aria-label={row.open ? 'Close the block' : 'Open the block'}
          onClick={() => toggle(row.id)}
        >
          <Icon name="chevron" />
        </button>
        <span className={styles.words}>
          <span className={styles.title}>{residual ? 'Residual block' : 'Parallel ways'}</span>
          <span className={styles.details}>{last - first + 1} layers</span>
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
        <span className={styles.title}>{kinds?.find(({ op }) => op === layer.op)?.title ?? layer.op}</span>
        <span className={styles.details}>{detailsOf(layer, row.inside)}</span>
        <code title={layer.name}>{within(row.inside, layer.name)}</code>
      </span>
    </>
  );
}

/** Takes rows and entries of the palette that are dropped on a row: they come in behind it. */
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
      if (row) moveBehind(row, id);
      else entries.find(({ name }) => name === event.dataTransfer.getData(DRAGGED_ENTRY))?.add(id);
    },
  };
}
