import type { CheckEntry, Finding } from '../../../worker/api.ts';
import { Icon, type IconName } from '../../components/Icon.tsx';
import * as format from '../../format.ts';
import styles from './Doctor.module.css';
import { LIGHTS } from './verdict.ts';

const PICTURES: Readonly<Record<Finding['light'], IconName>> = {
  good: 'check',
  watch: 'warning',
  bad: 'close',
  skipped: 'info',
};

interface CheckListProps {
  checks: readonly CheckEntry[];
  findings: readonly Finding[];
  /** The check that is being made. */
  checking: string | undefined;
}

/** Every check with its light, in words too, what was found, what it means, and what to do. */
export function CheckList({ checks, findings, checking }: CheckListProps) {
  return (
    <ol className={styles.checks}>
      {checks.map(({ name, title, about }) => {
        const finding = findings.find((one) => one.name === name);
        const state = finding?.light ?? (name === checking ? 'checking' : 'waiting');
        return (
          <li key={name} data-light={state}>
            <span className={styles.light}>
              {finding && <Icon name={PICTURES[finding.light]} />}
              {finding ? LIGHTS[finding.light] : name === checking ? 'Checking…' : 'To check'}
            </span>
            <div className={styles.text}>
              <h3>{title}</h3>
              {finding && (
                <p className={styles.found}>
                  {finding.found} <small>{format.time(finding.ms)}</small>
                </p>
              )}
              {finding?.advice && (
                <p className={styles.advice}>
                  <b>What to do:</b> {finding.advice}
                </p>
              )}
              <p className={styles.about}>{about}</p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
