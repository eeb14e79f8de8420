import * as format from '../../format.ts';
import { DataTable } from '../../widgets/DataTable.tsx';
import { results as texts } from '../../messages/results.ts';

interface TestTableProps {
  caption: string;
  captioned?: boolean;
  fits?: boolean;
  evaluations: readonly { step: number; epoch: number; testAccuracy: number; testLoss: number }[];
  frame?: string | undefined;
  className?: string | undefined;
}

/** The last twenty results on the test set. */
export const TestTable = ({ evaluations, ...table }: TestTableProps) => (
  <DataTable
    {...table}
    rows={evaluations.slice(-20)}
    keyOf={({ step }) => step}
    columns={[
      { title: texts.tables.epoch, render: ({ epoch }) => epoch },
      { title: texts.tables.step, render: ({ step }) => format.count(step) },
      { title: texts.tables.accuracy, render: ({ testAccuracy }) => format.percent(testAccuracy, 2) },
      { title: texts.tables.loss, render: ({ testLoss }) => testLoss.toFixed(6) },
    ]}
  />
);
