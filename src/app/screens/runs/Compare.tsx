import { useState } from 'react';
import { Difference } from '../../charts/confusion/Difference.tsx';
import { Button } from '../../components/Button.tsx';
import { Heads } from '../../components/Heads.tsx';
import { Panel } from '../../components/Panel.tsx';
import * as format from '../../format.ts';
import { settingLines, sideBySide } from './differences.ts';
import { originLine } from '../../journal/origin.ts';
import type { RunRecord } from '../../journal/record.ts';
import { CompareCurves } from './CompareCurves.tsx';
import styles from './Runs.module.css';
import { useRuns } from '../../journal/runs-store.ts';
import { usePicked } from './manage.ts';

const lossOf = ({ points }: RunRecord) => ({ steps: points.step, values: points.smoothLoss });
const accuracyOf = ({ evaluations }: RunRecord) => ({
  steps: Float64Array.from(evaluations, ({ step }) => step),
  values: Float32Array.from(evaluations, ({ testAccuracy }) => testAccuracy),
});
const percent = (value: number) => format.percent(value);
const ALL: [number, number] = [0, 1];

/** The selected runs: curves in one plot, settings and confusion matrices compared. */
export function Compare({ records }: { records: readonly RunRecord[] }) {
  const [all, setAll] = useState(false);
  const kept = useRuns((state) => state.records) ?? records;
  const lines = sideBySide(
    records.map((record) => [...settingLines(record.config), originLine(record, kept)]),
    all,
  );
  const [one, other] = records;
  return (
    <Panel
      title={`${records.length} ${records.length === 1 ? 'run' : 'runs'} compared`}
      explanation={`Smoothed training loss and test accuracy.${
        records.some(({ parent }) => parent?.step !== undefined)
          ? ' Forks start at the step where they branched off.'
          : ''
      } Select runs in the table above.`}
      aside={
        <Button kind="quiet" icon="close" onPress={() => usePicked.setState({ ids: [] })}>
          Clear selection
        </Button>
      }
    >
      <div className={styles.curves}>
        <CompareCurves title="Loss" records={records} line={lossOf} formatValue={format.loss} />
        <CompareCurves
          title="Test accuracy"
          records={records}
          line={accuracyOf}
          formatValue={percent}
          range={ALL}
        />
      </div>
      <div className={`spread ${styles.subhead}`}>
        <h3>{all ? 'Settings' : 'Different settings'}</h3>
        <label>
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} /> Show all
        </label>
      </div>
      {lines.length === 0 && <p className="soft">All settings are identical.</p>}
      {lines.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        <div className={styles.scroll} role="region" aria-label="Settings compared" tabIndex={0}>
          <table className={styles.settings}>
            <Heads of={['Setting', ...records.map(({ name }) => name)]} />
            <tbody>
              {lines.map(({ title, values, differs }) => (
                <tr key={title} data-differs={differs || undefined}>
                  <th scope="row">{title}</th>
                  {records.map(({ id }, i) => (
                    <td key={id}>{values[i]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {records.length === 2 && one.confusion && other.confusion && comparable(one, other) && (
        <>
          <div className={`spread ${styles.subhead}`}>
            <h3>Confusion matrix difference</h3>
          </div>
          <p className="soft">
            Change in prediction counts from {one.name} to {other.name}. Blue is better, orange is worse.
          </p>
          <Difference
            classes={one.classes}
            before={one.confusion}
            after={other.confusion}
            names={[one.name, other.name]}
          />
        </>
      )}
    </Panel>
  );
}

/** Whether both were tested on the same data set. */
const comparable = (one: RunRecord, other: RunRecord): boolean =>
  one.config.dataset === other.config.dataset && one.classes.join('\n') === other.classes.join('\n');
