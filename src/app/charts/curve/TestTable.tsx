import type { ReactNode } from 'react';
import * as format from '../../format.ts';
import { Heads } from '../../widgets/Heads.tsx';

interface TestTableProps {
  caption: ReactNode;
  evaluations: readonly { step: number; epoch: number; testAccuracy: number; testLoss: number }[];
  className?: string | undefined;
}

/** The last twenty results on the test set. */
export function TestTable({ caption, evaluations, className }: TestTableProps) {
  return (
    <table className={className}>
      <caption>{caption}</caption>
      <Heads of={['Epoch', 'Step', 'Accuracy', 'Loss']} />
      <tbody>
        {evaluations.slice(-20).map(({ step, epoch, testAccuracy, testLoss }) => (
          <tr key={step}>
            <th scope="row">{epoch}</th>
            <td>{format.count(step)}</td>
            <td>{format.percent(testAccuracy, 2)}</td>
            <td>{testLoss.toFixed(6)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
