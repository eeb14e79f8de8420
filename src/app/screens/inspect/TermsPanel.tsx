import type { LookTerms } from '../../../worker/api.ts';
import { DataTable } from '../../widgets/DataTable.tsx';
import { digits } from '../../components/maps/numbers.ts';
import { Panel } from '../../widgets/Panel.tsx';
import { inspect as texts } from '../../messages/inspect.ts';
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
      title={texts.value.title}
      explanation={texts.value.explanation(`${layer}[${isMap ? `${k}, ${p}, ${q}` : k}]`, formula)}
    >
      <DataTable
        caption={texts.value.terms}
        className={styles.terms}
        rows={[
          ...terms.map((term) => ({ ...term, isTerm: true })),
          ...(left > 0 ? [sumOf(texts.value.smaller(left), leftSum)] : []),
          ...constants.map(([name, value]) => sumOf(name, value)),
        ]}
        keyOf={({ name }) => name}
        row={({ chosen }) => ({ 'data-selected': chosen || undefined })}
        columns={[
          {
            title: texts.value.input,
            render: ({ name, chosen, isTerm }) => (
              <>
                {isTerm ? <code>{name}</code> : name}
                {chosen && texts.value.largest}
              </>
            ),
          },
          {
            title: texts.value.value,
            number: true,
            span: ({ isTerm }) => (weighted && !isTerm ? 3 : 1),
            render: ({ value }) => digits(value, 4),
          },
          weighted && {
            title: texts.value.weight,
            number: true,
            render: ({ weight }) => weight !== undefined && digits(weight, 4),
          },
          weighted && {
            title: texts.value.product,
            number: true,
            render: ({ value, weight }) => weight !== undefined && digits(value * weight, 4),
          },
        ]}
      />
      <p className={styles.equation}>
        {texts.value.result}{' '}
        <output aria-label={texts.value.computed} aria-live="off" className="numbers">
          {digits(result, 6)}
        </output>
        .
      </p>
      <Verdict network={network} error={error} step={step} />
    </Panel>
  );
}
