import { useMemo, useState } from 'react';
import { Difference } from '../../charts/confusion/Difference.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { DataTable } from '../../widgets/DataTable.tsx';
import * as format from '../../format.ts';
import { showValue } from '../../metrics/show.ts';
import { originLine } from '../../journal/origin.ts';
import type { RunRecord } from '../../journal/record.ts';
import { useRuns } from '../../journal/runs-store.ts';
import { trainImagesOf } from '../../state/data.ts';
import { useApp } from '../../state/store.ts';
import { useCurves } from './curves.ts';
import { settingLines, sideBySide } from './differences.ts';
import type { CurveAxis } from '../../charts/curve/view.ts';
import { runs as texts } from '../../messages/en/runs.tsx';
import { lineOf } from './lines.ts';
import { endOf, RunCurves } from './RunCurves.tsx';
import styles from './Runs.module.css';

const percent = (value: number) => format.accuracy(value);
const wholePercent = (value: number) => format.percent(value, 0);
const ALL: [number, number] = [0, 1];

/** Loss and test accuracy of runs in one plot each, over a common axis. */
export function Curves({ records }: { records: readonly RunRecord[] }) {
  const [axis, setAxis] = useState<CurveAxis>('step');
  const [scale, setScale] = useState<'linear' | 'log'>('linear');
  const all = useRuns((state) => state.records) ?? records;
  const datasets = useApp((state) => state.datasets);
  const curves = useCurves(records);
  const key = records.map(({ id, kept, name }) => `${id} ${kept} ${name}`).join('\n');
  const [loss, accuracy, names] = useMemo(() => {
    const lines = (quantity: 'loss' | 'accuracy') =>
      records.map((record, i) => {
        const images = trainImagesOf({ datasets }, record.config);
        const [last] = record.evaluations.slice(-1);
        const stepsPerEpoch = images ? images / record.config.batchSize : last ? last.step / last.epoch : 1;
        return lineOf(record, curves[i], quantity, { axis, stepsPerEpoch, all });
      });
    return [lines('loss'), lines('accuracy'), records.map(({ name }) => name)];
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key says what is in the records
  }, [key, axis, datasets, ...curves]);
  const logarithmic = scale === 'log';
  const end = endOf([...loss, ...accuracy]);
  return (
    <>
      <div className={`row ${styles.view}`}>
        <Choice label={texts.compare.axis} value={axis} options={texts.compare.axes} onChange={setAxis} />
        <Choice
          label={texts.compare.scale}
          value={scale}
          options={texts.compare.scales}
          onChange={setScale}
        />
      </div>
      <div className={styles.curves}>
        <RunCurves
          title={texts.compare.loss}
          names={names}
          lines={loss}
          axis={axis}
          end={end}
          logarithmic={logarithmic}
          formatValue={format.loss}
          formatTick={showValue.loss.tick}
        />
        <RunCurves
          title={texts.compare.accuracy}
          names={names}
          lines={accuracy}
          axis={axis}
          end={end}
          formatValue={percent}
          formatTick={wholePercent}
          range={ALL}
        />
      </div>
    </>
  );
}

/** The selected runs: their curves, where their settings differ, and for two runs their confusion matrices. */
export function Compare({ records }: { records: readonly RunRecord[] }) {
  const [all, setAll] = useState(false);
  const kept = useRuns((state) => state.records) ?? records;
  const lines = sideBySide(
    records.map((record) => [...settingLines(record), originLine(record, kept)]),
    all,
  );
  const [one, other] = records;
  return (
    <>
      <Curves records={records} />
      <div className={`spread ${styles.subhead}`}>
        <h3>{all ? texts.compare.settings : texts.compare.different}</h3>
        <label className="beside">
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} />
          {texts.compare.showAll}
        </label>
      </div>
      {lines.length === 0 && <p className="soft">{texts.compare.identical}</p>}
      {lines.length > 0 && (
        <DataTable
          caption={texts.compare.compared}
          region={texts.compare.compared}
          className={styles.settings}
          rows={lines}
          keyOf={({ title }) => title}
          row={({ differs }) => ({ 'data-differs': differs || undefined })}
          columns={[
            { title: texts.compare.setting, render: ({ title }) => title },
            ...records.map(({ id, name }, i) => ({
              key: id,
              title: name,
              render: ({ values }: (typeof lines)[number]) => values[i],
            })),
          ]}
        />
      )}
      {records.length === 2 && one.confusion && other.confusion && comparable(one, other) && (
        <>
          <div className={`spread ${styles.subhead}`}>
            <h3>{texts.compare.confusion}</h3>
          </div>
          <p className="soft">{texts.compare.change(one.name, other.name)}</p>
          <Difference
            classes={one.classes}
            before={Uint32Array.from(one.confusion)}
            after={Uint32Array.from(other.confusion)}
            names={[one.name, other.name]}
          />
        </>
      )}
    </>
  );
}

/** Whether both were tested on the same data set. */
const comparable = (one: RunRecord, other: RunRecord): boolean =>
  one.config.dataset === other.config.dataset && one.classes.join('\n') === other.classes.join('\n');
