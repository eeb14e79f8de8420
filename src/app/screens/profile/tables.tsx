/** Kernels, layers and calls, each with its share of the time. */
import { useState, type ReactNode } from 'react';
import type { StepProfile } from '../../../worker/api.ts';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { Heads } from '../../widgets/Heads.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import * as format from '../../format.ts';
import { kernelRows, partOf, sumOfKernels, type Selection } from './breakdown.ts';
import styles from './Profile.module.css';

interface KernelPanelProps extends Selection {
  profile: StepProfile;
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
        of="Kernel"
        columns={['Time', 'Compute', 'Memory', '% of peak']}
        wide={['Compute', 'Memory']}
      >
        {shown.map(({ index, kernel, share, flopPerSecond, bytesPerSecond, ofPeak, bound }) => (
          <ShareRow
            key={index}
            name={
              <button
                type="button"
                className={`bare ${styles.kernel}`}
                aria-pressed={index === selected}
                onClick={() => select(index === selected ? undefined : index)}
              >
                <i className={styles.swatch} data-kind={kernel.pass} aria-hidden="true" />
                {kernel.kernel}
                <small>{kernel.layer === undefined ? partOf(kernel) : breakable(kernel.shader)}</small>
                <small className="phone-only">
                  {flopPerSecond > 0 && `${format.flopRate(flopPerSecond)}, `}
                  {format.byteRate(bytesPerSecond)}
                </small>
              </button>
            }
            share={[{ kind: kernel.pass, share }]}
            selected={index === selected}
          >
            <td title={`${format.time(kernel.time.p10)} to ${format.time(kernel.time.p90)}`}>
              <b>{format.time(kernel.time.median)}</b>
            </td>
            <td className="wide-only">{flopPerSecond > 0 ? format.flopRate(flopPerSecond) : '–'}</td>
            <td className="wide-only">{format.byteRate(bytesPerSecond)}</td>
            <td>
              {format.percent(ofPeak, 0)} <small>{bound}</small>
            </td>
          </ShareRow>
        ))}
      </ShareTable>
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

/** A path that may break after its slashes, by zero-width spaces. */
const breakable = (path: string): string => path.replaceAll('/', '/\u200b');

function Layers({ profile }: { profile: StepProfile }) {
  const sum = sumOfKernels(profile.kernels);
  const rows = profile.layers.toSorted((a, b) => b.forwardMs + b.backwardMs - a.forwardMs - a.backwardMs);
  return (
    <ShareTable caption="Layers of the model by share of time" of="Layer" columns={['Forward', 'Backward']}>
      {rows.map(({ layer, forwardMs, backwardMs }) => (
        <ShareRow
          key={layer}
          name={layer}
          share={[
            { kind: 'forward', share: forwardMs / sum },
            { kind: 'backward', share: backwardMs / sum },
          ]}
        >
          <td>{format.time(forwardMs)}</td>
          <td>{backwardMs > 0 ? format.time(backwardMs) : '–'}</td>
        </ShareRow>
      ))}
    </ShareTable>
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
export function CallPanel({ profile: { calls, single } }: { profile: StepProfile }) {
  const sum = calls.reduce((total, { ms, waits }) => total + (waits ? 0 : ms), 0);
  const rows = calls.toSorted((a, b) => Number(a.waits) - Number(b.waits) || b.ms - a.ms);
  return (
    <Panel
      title={`CPU time in WebGPU calls: ${format.time(sum)} per step`}
      explanation={`Means over at least ${format.count(single.steps)} isolated steps, limited by the browser’s timer resolution. Waiting uses no CPU time and is not counted.`}
    >
      <ShareTable caption="WebGPU calls of one step by share of time" of="Call" columns={['Calls', 'Time']}>
        {rows.map(({ call, count, ms, waits }) => (
          <ShareRow
            key={call}
            name={
              <>
                <code>{call}</code>
                <small>{CALLS[call]}</small>
              </>
            }
            share={waits ? 'waits' : [{ kind: 'cpu', share: sum > 0 ? ms / sum : 0 }]}
          >
            <td>{format.count(count)}</td>
            <td>{ms === 0 ? 'too short' : format.time(ms)}</td>
          </ShareRow>
        ))}
      </ShareTable>
    </Panel>
  );
}

interface ShareTableProps {
  caption: string;
  /** What a row is. */
  of: string;
  /** Headers of the columns after the share. */
  columns: readonly string[];
  /** Those that a phone has no room for. */
  wide?: readonly string[];
  /** `ShareRow`s. */
  children: ReactNode;
}

function ShareTable({ caption, of, columns, wide = [], children }: ShareTableProps) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className="unseen">{caption}</caption>
        <Heads
          of={[
            of,
            { name: 'Share', className: styles.share },
            ...columns.map((name) => ({ name, className: wide.includes(name) ? 'wide-only' : undefined })),
          ]}
        />
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface ShareRowProps {
  name: ReactNode;
  /** The parts of its share, each 0 to 1; or a word, if it has none. */
  share: readonly { kind: string; share: number }[] | string;
  selected?: boolean;
  /** The cells after the share. */
  children: ReactNode;
}

function ShareRow({ name, share, selected = false, children }: ShareRowProps) {
  return (
    <tr data-selected={selected || undefined}>
      <th scope="row">{name}</th>
      <td className={styles.share}>
        {typeof share === 'string' ? (
          share
        ) : (
          <>
            <span className={styles.bar} aria-hidden="true">
              {share.map((part) => (
                <i key={part.kind} data-kind={part.kind} style={{ width: `${100 * part.share}%` }} />
              ))}
            </span>
            <span className={styles.percent}>
              {format.percent(share.reduce((sum, part) => sum + part.share, 0))}
            </span>
          </>
        )}
      </td>
      {children}
    </tr>
  );
}
