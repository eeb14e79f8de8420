import type { LookTerms } from '../../../worker/api.ts';
import { DataTable } from '../../widgets/DataTable.tsx';
import { digits } from '../../components/maps/numbers.ts';
import { Panel } from '../../widgets/Panel.tsx';
import * as format from '../../format.ts';
import styles from './Inspect.module.css';
import { Verdict } from './Verdict.tsx';

interface TermsPanelProps {
  terms: LookTerms;
  layer: string;
  /** Whether the layer outputs maps. */
  isMap: boolean;
  step: number;
}

/** A line of several terms, or of none. */
const sumOf = (name: string, value: number) => ({
  name,
  value,
  weight: undefined,
  chosen: undefined,
  isTerm: false,
});

/** How one value of a layer other than a convolution is computed. */
export function TermsPanel({ terms: found, layer, isMap, step }: TermsPanelProps) {
  const { k, p, q, formula, terms, left, leftSum, constants, result, network, error } = found;
  const weighted = terms.some(({ weight }) => weight !== undefined);
  return (
    <Panel
      title="How this value is computed"
      explanation={
        <>
          <code>
            {layer}[{isMap ? `${k}, ${p}, ${q}` : k}]
          </code>{' '}
          is {formula}.
        </>
      }
    >
      <DataTable
        caption="The values that it is computed from"
        className={styles.terms}
        rows={[
          ...terms.map((term) => ({ ...term, isTerm: true })),
          ...(left > 0 ? [sumOf(`${format.count(left)} smaller ones`, leftSum)] : []),
          ...constants.map(([name, value]) => sumOf(name, value)),
        ]}
        keyOf={({ name }) => name}
        row={({ chosen }) => ({ 'data-selected': chosen || undefined })}
        columns={[
          {
            title: 'Input',
            render: ({ name, chosen, isTerm }) => (
              <>
                {isTerm ? <code>{name}</code> : name}
                {chosen && ' (the largest)'}
              </>
            ),
          },
          {
            title: 'Value',
            number: true,
            span: ({ isTerm }) => (weighted && !isTerm ? 3 : 1),
            render: ({ value }) => digits(value, 4),
          },
          weighted && {
            title: 'Weight',
            number: true,
            render: ({ weight }) => weight !== undefined && digits(weight, 4),
          },
          weighted && {
            title: 'Product',
            number: true,
            render: ({ value, weight }) => weight !== undefined && digits(value * weight, 4),
          },
        ]}
      />
      <p className={styles.equation}>
        The result is{' '}
        <output aria-label="Computed value" aria-live="off" className="numbers">
          {digits(result, 6)}
        </output>
        .
      </p>
      <Verdict network={network} error={error} step={step} />
    </Panel>
  );
}
