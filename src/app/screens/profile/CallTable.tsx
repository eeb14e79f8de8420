import type { StepProfile } from '../../../worker/api.ts';
import { Panel } from '../../components/Panel.tsx';
import * as format from '../../format.ts';
import { ShareRow, ShareTable } from './ShareTable.tsx';

/** What WebGPU's calls do. */
const WORDS: Readonly<Record<string, string>> = {
  writeBuffer: 'the step’s data: learning rate, samples',
  createCommandEncoder: 'begins a list of commands',
  beginComputePass: 'begins a pass of kernels',
  setPipeline: 'says which kernel comes next',
  setBindGroup: 'says which memory it has',
  dispatchWorkgroups: 'runs it',
  end: 'ends the pass',
  finish: 'ends the list',
  copyBufferToBuffer: 'copies the loss where it can be read',
  submit: 'hands the commands over',
  onSubmittedWorkDone: 'waits until the GPU is done',
  mapAsync: 'waits for what is read back',
  getMappedRange: 'looks at what came back',
  unmap: 'gives its place back',
};

/** Calls to WebGPU in a step, those of the processor and those that only wait. */
export function CallTable({ profile: { calls, single } }: { profile: StepProfile }) {
  const working = calls.filter(({ waits }) => !waits);
  const sum = working.reduce((total, { ms }) => total + ms, 0);
  const rows = [
    ...working.toSorted((a, b) => b.ms - a.ms),
    ...calls.filter(({ waits }) => waits).toSorted((a, b) => b.ms - a.ms),
  ];
  return (
    <Panel
      title={`Calls on the processor: ${format.time(sum)} a step`}
      explanation={`WebGPU’s calls in one step on its own, means over ${format.count(single.steps)} steps or more; browsers round the clock that they are timed by. Waiting costs the processor nothing, and has no share.`}
    >
      <ShareTable
        caption="Calls to WebGPU in a step by share of the time"
        of="Call"
        columns={['Calls', 'Time']}
      >
        {rows.map(({ call, count, ms, waits }) => (
          <ShareRow
            key={call}
            name={
              <>
                <code>{call}</code>
                <small>{WORDS[call]}</small>
              </>
            }
            share={waits ? 'waits' : [{ kind: 'processor', share: sum > 0 ? ms / sum : 0 }]}
          >
            <td>{format.count(count)}</td>
            <td>{ms === 0 ? 'too short' : format.time(ms)}</td>
          </ShareRow>
        ))}
      </ShareTable>
    </Panel>
  );
}
