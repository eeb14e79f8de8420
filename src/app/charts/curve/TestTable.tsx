import type { Evaluation } from '../../../run/metrics/rows.ts';
import { EVALUATION_METRICS } from '../../../run/metrics/table.ts';
import * as format from '../../format.ts';
import { showValue } from '../../metrics/show.ts';
import { DataTable } from '../../widgets/DataTable.tsx';
import { results as texts } from '../../messages/en/results.tsx';

interface TestTableProps {
  caption: string;
  captioned?: boolean;
  fits?: boolean;
  evaluations: readonly Evaluation[];
  frame?: string | undefined;
  className?: string | undefined;
}

const VALIDATION = EVALUATION_METRICS.filter(
  ({ key }) => key === 'validationAccuracy' || key === 'validationLoss',
);

/** The last twenty results on the test set, and on the validation set if there is one. */
export const TestTable = ({ evaluations, ...table }: TestTableProps) => (
  <DataTable
    {...table}
    rows={evaluations.slice(-20)}
    keyOf={({ step }) => step}
    columns={[
      { title: texts.tables.epoch, render: ({ epoch }) => epoch },
      { title: texts.tables.step, render: ({ step }) => format.count(step) },
      { title: texts.tables.accuracy, render: ({ testAccuracy }) => format.accuracy(testAccuracy) },
      { title: texts.tables.loss, render: ({ testLoss }) => testLoss.toFixed(6) },
      ...VALIDATION.filter(({ key }) => evaluations.some((one) => one[key] !== undefined)).map(
        ({ key, title, unit }) => ({
          title,
          render: (one: Evaluation) => showValue[unit].cell(one[key] ?? NaN),
        }),
      ),
    ]}
  />
);
