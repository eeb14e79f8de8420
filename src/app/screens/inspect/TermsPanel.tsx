import type { LookTerms } from '../../../worker/api.ts';
import { Heads } from '../../widgets/Heads.tsx';
import { digits } from '../../components/maps/numbers.ts';
import { Panel } from '../../widgets/Panel.tsx';
import table from '../../widgets/Table.module.css';
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

/** How one value of a layer other than a convolution is computed. */
export function TermsPanel({ terms: found, layer, isMap, step }: TermsPanelProps) {
  const { k, p, q, formula, terms, left, leftSum, constants, result, network, error } = found;
  const weighted = terms.some(({ weight }) => weight !== undefined);
  return (
    <Panel
      title={texts.value.title}
      explanation={
        <>
          <code>
            {layer}[{isMap ? `${k}, ${p}, ${q}` : k}]
          </code>{' '}
          is {formula}.
        </>
      }
    >
      <div className={table.scroll}>
        <table className={`${table.table} ${styles.terms}`}>
          <caption className="unseen">{texts.value.terms}</caption>
          <Heads
            of={[
              texts.value.input,
              texts.value.value,
              ...(weighted ? [texts.value.weight, texts.value.product] : []),
            ]}
          />
          <tbody>
            {terms.map(({ name, value, weight, chosen }) => (
              <tr key={name} data-selected={chosen || undefined}>
                <th scope="row">
                  <code>{name}</code>
                  {chosen && texts.value.largest}
                </th>
                <td data-number>{digits(value, 4)}</td>
                {weight !== undefined && (
                  <>
                    <td data-number>{digits(weight, 4)}</td>
                    <td data-number>{digits(value * weight, 4)}</td>
                  </>
                )}
              </tr>
            ))}
            {left > 0 && (
              <tr>
                <th scope="row">{texts.value.smaller(left)}</th>
                <td data-number colSpan={weighted ? 3 : 1}>
                  {digits(leftSum, 4)}
                </td>
              </tr>
            )}
            {constants.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td data-number colSpan={weighted ? 3 : 1}>
                  {digits(value, 4)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.equation}>
        The result is{' '}
        <output aria-label={texts.value.computed} aria-live="off" className="numbers">
          {digits(result, 6)}
        </output>
        .
      </p>
      <Verdict network={network} error={error} step={step} />
    </Panel>
  );
}
