import { Fragment, useState } from 'react';
import type { StepProfile } from '../../../worker/api.ts';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { Panel } from '../../components/Panel.tsx';
import * as format from '../../format.ts';
import { kernelRows, partOf, sumOfKernels } from './breakdown.ts';
import styles from './KernelPanel.module.css';
import shared from './Profile.module.css';
import { useSelection } from './selection.tsx';
import { InsteadOfWide, ShareRow, ShareTable, WideCell } from './ShareTable.tsx';

type By = 'kernel' | 'layer';

const FIRST = 14;

/** The kernels of a step, or its layers, the slowest first. */
export function KernelPanel({ profile }: { profile: StepProfile }) {
  const [by, setBy] = useState<By>('kernel');
  return (
    <Panel
      title="By share of the time"
      explanation={
        by === 'kernel'
          ? 'Each kernel on its own. “Of best” says how close it comes to this machine’s matrix product (operations) or copy (memory), whichever is closer; data that stay in the cache can make it more than 100 %.'
          : 'The kernels of each layer together, forward and backward.'
      }
      aside={
        <Choice<By>
          label="Rows"
          name="profile-rows"
          value={by}
          options={[
            { value: 'kernel', label: 'Kernels' },
            { value: 'layer', label: 'Layers' },
          ]}
          onChange={setBy}
        />
      }
    >
      {by === 'kernel' ? <Kernels profile={profile} /> : <Layers profile={profile} />}
    </Panel>
  );
}

function Kernels({ profile }: { profile: StepProfile }) {
  const [all, setAll] = useState(false);
  const { selected, select } = useSelection();
  const rows = kernelRows(profile);
  const hidden = all ? 0 : Math.max(0, rows.length - FIRST);
  const shown = rows.filter(({ index }, i) => all || i < FIRST || index === selected);
  return (
    <>
      <ShareTable
        caption="Kernels of a step by share of the time"
        of="Kernel"
        columns={['Time', 'Operations', 'Memory', 'Of best']}
        wide={['Operations', 'Memory']}
      >
        {shown.map(({ index, kernel, share, flopPerSecond, bytesPerSecond, ofCeiling, bound }) => (
          <ShareRow
            key={index}
            name={
              <button
                type="button"
                className={styles.name}
                aria-pressed={index === selected}
                onClick={() => select(index === selected ? undefined : index)}
              >
                <i className={shared.swatch} data-kind={kernel.pass} aria-hidden="true" />
                {kernel.kernel}
                <small>{kernel.layer === undefined ? partOf(kernel) : <Path text={kernel.shader} />}</small>
                <InsteadOfWide>
                  {flopPerSecond > 0 && `${format.flopRate(flopPerSecond)}, `}
                  {format.byteRate(bytesPerSecond)}
                </InsteadOfWide>
              </button>
            }
            share={[{ kind: kernel.pass, share }]}
            selected={index === selected}
          >
            <td title={`${format.time(kernel.time.p10)} to ${format.time(kernel.time.p90)}`}>
              <b>{format.time(kernel.time.median)}</b>
            </td>
            <WideCell>{flopPerSecond > 0 ? format.flopRate(flopPerSecond) : '–'}</WideCell>
            <WideCell>{format.byteRate(bytesPerSecond)}</WideCell>
            <td>
              {format.percent(ofCeiling, 0)} <small>{bound}</small>
            </td>
          </ShareRow>
        ))}
      </ShareTable>
      {(hidden > 0 || all) && rows.length > FIRST && (
        <div className={styles.more}>
          <Button kind="quiet" onPress={() => setAll(!all)}>
            {all ? `Only the first ${FIRST}` : `All ${rows.length} kernels`}
          </Button>
        </div>
      )}
    </>
  );
}

/** A path that may be broken behind its slashes. */
function Path({ text }: { text: string }) {
  return text.split('/').map((part, i) => (
    <Fragment key={i}>
      {i > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
}

function Layers({ profile }: { profile: StepProfile }) {
  const sum = sumOfKernels(profile.kernels);
  const rows = profile.layers.toSorted((a, b) => b.forwardMs + b.backwardMs - a.forwardMs - a.backwardMs);
  return (
    <ShareTable
      caption="Layers of the model by share of the time"
      of="Layer"
      columns={['Forward', 'Backward']}
    >
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
