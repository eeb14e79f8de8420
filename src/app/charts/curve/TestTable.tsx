import * as format from '../../format.ts';
import { DataTable } from '../../widgets/DataTable.tsx';

interface TestTableProps {
  caption: string;
  captioned?: boolean;
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
      { title: 'Epoch', render: ({ epoch }) => epoch },
      { title: 'Step', render: ({ step }) => format.count(step) },
      { title: 'Accuracy', render: ({ testAccuracy }) => format.percent(testAccuracy, 2) },
      { title: 'Loss', render: ({ testLoss }) => testLoss.toFixed(6) },
    ]}
  />
);
