/** Kernels, layers and calls, each with its share of the time. */
import { useState, type ComponentProps } from 'react';
import type { ProfileReport } from '../../../worker/api.ts';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { DataTable, type TableColumn } from '../../widgets/DataTable.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import * as format from '../../format.ts';
import { kernelRows, partOf, sumOfKernels, type KernelRow, type Selection } from './breakdown.ts';
import styles from './Profile.module.css';

interface KernelPanelProps extends Selection {
  profile: ProfileReport;
}

/** The kernels of a step, or its layers, slowest first. */
export function KernelPanel(props: KernelPanelProps) {
  const [by, setBy] = useState<'kernel' | 'layer'>('kernel');
  return (
    <Panel
      title="Time by kernel and layer"
      explanation={
        by === 'kernel'
          ? 'Each kernel timed in isolation. “% of peak” compares it with the measured peak of this device, compute or memory bandwidth, whichever is closer. “cache”: its data is in the cache, so that it beats a copy from memory.'
          : 'Kernel time per layer, forward and backward.'
      }
      aside={
        <Choice label="Rows" value={by} options={{ kernel: 'Kernels', layer: 'Layers' }} onChange={setBy} />
      }
    >
      {by === 'kernel' ? <Kernels {...props} /> : <Layers profile={props.profile} />}
    </Panel>
  );
}

/** Rows that are shown before somebody asks for all. */
const FIRST = 14;

function Kernels({ profile, selected, select }: KernelPanelProps) {
  const [all, setAll] = useState(false);
  const rows = kernelRows(profile);
  const shown = rows.filter(({ index }, i) => all || i < FIRST || index === selected);
  return (
    <div className="stack">
      <ShareTable
        caption="Kernels of one step by share of time"
        rows={shown}
        keyOf={({ index }) => index}
        row={({ index }) => ({ 'data-selected': index === selected || undefined })}
        shareOf={({ kernel, share }) => [{ kind: kernel.pass, share }]}
        columns={[
          {
            title: 'Kernel',
            render: (row) => (
              <KernelName
                {...row}
                selected={row.index === selected}
                onPress={() => select(row.index === selected ? undefined : row.index)}
              />
            ),
          },
          ...KERNEL_COLUMNS,
        ]}
      />
      {rows.length > FIRST && (
        <div>
          <Button kind="quiet" onPress={() => setAll(!all)}>
            {all ? `Show first ${FIRST}` : `Show all ${rows.length} kernels`}
          </Button>
        </div>
      )}
    </div>
  );
}

const KERNEL_COLUMNS: readonly TableColumn<KernelRow>[] = [
  {
    title: 'Time',
    cell: ({ kernel: { time } }) => ({ title: `${format.time(time.p10)} to ${format.time(time.p90)}` }),
    render: ({ kernel }) => <b>{format.time(kernel.time.median)}</b>,
  },
  {
    title: 'Compute',
    wide: true,
    render: ({ flopPerSecond }) => (flopPerSecond > 0 ? format.flopRate(flopPerSecond) : '–'),
  },
  { title: 'Memory', wide: true, render: ({ bytesPerSecond }) => format.byteRate(bytesPerSecond) },
  {
    title: '% of peak',
    render: ({ ofPeak, bound }) => (
      <>
        {format.percent(ofPeak, 0)} <small>{bound}</small>
      </>
    ),
  },
];

interface KernelNameProps extends KernelRow {
  selected: boolean;
  onPress(): void;
}

/** A kernel, to select; on a phone with the numbers that have no column there. */
const KernelName = ({ kernel, flopPerSecond, bytesPerSecond, selected, onPress }: KernelNameProps) => (
  <button type="button" className={`bare ${styles.kernel}`} aria-pressed={selected} onClick={onPress}>
    <i className={styles.swatch} data-kind={kernel.pass} aria-hidden="true" />
    {kernel.kernel}
    <small>{kernel.layer === undefined ? partOf(kernel) : breakable(kernel.shader)}</small>
    <small className="phone-only">
      {flopPerSecond > 0 && `${format.flopRate(flopPerSecond)}, `}
      {format.byteRate(bytesPerSecond)}
    </small>
  </button>
);

/** A path that may break after its slashes, by zero-width spaces. */
const breakable = (path: string): string => path.replaceAll('/', '/\u200b');

function Layers({ profile }: { profile: ProfileReport }) {
  const sum = sumOfKernels(profile.kernels);
  const rows = profile.layers.toSorted((a, b) => b.forwardMs + b.backwardMs - a.forwardMs - a.backwardMs);
  return (
    <ShareTable
      caption="Layers of the model by share of time"
      rows={rows}
      keyOf={({ layer }) => layer}
      shareOf={({ forwardMs, backwardMs }) => [
        { kind: 'forward', share: forwardMs / sum },
        { kind: 'backward', share: backwardMs / sum },
      ]}
      columns={[
        { title: 'Layer', render: ({ layer }) => layer },
        { title: 'Forward', render: ({ forwardMs }) => format.time(forwardMs) },
        { title: 'Backward', render: ({ backwardMs }) => (backwardMs > 0 ? format.time(backwardMs) : '–') },
      ]}
    />
  );
}

/** What WebGPU's calls do. */
const CALLS: Readonly<Record<string, string>> = {
  writeBuffer: 'the step’s data: learning rate, samples',
  createCommandEncoder: 'creates a command encoder',
  beginComputePass: 'begins a compute pass',
  setPipeline: 'selects the kernel',
  setBindGroup: 'binds its buffers',
  dispatchWorkgroups: 'dispatches it',
  end: 'ends the pass',
  finish: 'finishes the command buffer',
  copyBufferToBuffer: 'copies the loss to a readable buffer',
  submit: 'submits the commands',
  onSubmittedWorkDone: 'waits until all kernels are done',
  mapAsync: 'waits for the read-back',
  getMappedRange: 'accesses the mapped data',
  unmap: 'releases the mapping',
};

/** WebGPU calls of a step: those that use the CPU first, then those that only wait. */
export function CallPanel({ profile: { calls, single } }: { profile: ProfileReport }) {
  const sum = calls.reduce((total, { ms, waits }) => total + (waits ? 0 : ms), 0);
  const rows = calls.toSorted((a, b) => Number(a.waits) - Number(b.waits) || b.ms - a.ms);
  return (
    <Panel
      title={`CPU time in WebGPU calls: ${format.time(sum)} per step`}
      explanation={`Means over at least ${format.count(single.steps)} isolated steps, limited by the browser’s timer resolution. Waiting uses no CPU time and is not counted.`}
    >
      <ShareTable
        caption="WebGPU calls of one step by share of time"
        rows={rows}
        keyOf={({ call }) => call}
        shareOf={({ ms, waits }) => (waits ? 'waits' : [{ kind: 'cpu', share: sum > 0 ? ms / sum : 0 }])}
        columns={[
          {
            title: 'Call',
            render: ({ call }) => (
              <>
                <code>{call}</code>
                <small>{CALLS[call]}</small>
              </>
            ),
          },
          { title: 'Calls', render: ({ count }) => format.count(count) },
          { title: 'Time', render: ({ ms }) => (ms === 0 ? 'too short' : format.time(ms)) },
        ]}
      />
    </Panel>
  );
}

interface ShareTableProps<Row> extends Pick<
  ComponentProps<typeof DataTable<Row>>,
  'caption' | 'rows' | 'keyOf' | 'row'
> {
  columns: readonly [TableColumn<Row>, ...TableColumn<Row>[]];
  /** The parts of a row's share, each 0 to 1; or a word, if it has none. */
  shareOf(row: Row): readonly { kind: string; share: number }[] | string;
}

/** A table whose second column is the row's share of the time. */
function ShareTable<Row>({ columns: [head, ...columns], shareOf, ...table }: ShareTableProps<Row>) {
  const share: TableColumn<Row> = {
    title: 'Share',
    className: styles.share,
    render(row) {
      const parts = shareOf(row);
      if (typeof parts === 'string') return parts;
      return (
        <>
          <span className={styles.bar} aria-hidden="true">
            {parts.map((part) => (
              <i key={part.kind} data-kind={part.kind} style={{ width: `${100 * part.share}%` }} />
            ))}
          </span>
          <span className={styles.percent}>
            {format.percent(parts.reduce((sum, part) => sum + part.share, 0))}
          </span>
        </>
      );
    },
  };
  return <DataTable {...table} className={styles.table} columns={[head, share, ...columns]} />;
}
