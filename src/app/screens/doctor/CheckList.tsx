import type { CheckEntry, Finding, Light } from '../../../worker/api.ts';
import { Icon, type IconName } from '../../components/Icon.tsx';
import * as format from '../../format.ts';
import styles from './Doctor.module.css';

const LIGHTS: Readonly<Record<Light, { label: string; icon: IconName; tone?: string }>> = {
  good: { label: 'Passed', icon: 'check', tone: 'good' },
  watch: { label: 'Warning', icon: 'warning', tone: 'warning' },
  bad: { label: 'Failed', icon: 'close', tone: 'error' },
  skipped: { label: 'Skipped', icon: 'info' },
};

interface CheckListProps {
  checks: readonly CheckEntry[];
  findings: readonly Finding[];
  /** The name of the check that is running. */
  checking: string | undefined;
}

/** Every check with its state, in words too: what was found, how to fix it, and what the check is about. */
export function CheckList({ checks, findings, checking }: CheckListProps) {
  return (
    <ol className={styles.checks}>
      {checks.map(({ name, title, about }) => {
        const finding = findings.find((one) => one.name === name);
        const running = name === checking;
        return (
          <li key={name} data-light={finding?.light ?? (running ? 'checking' : 'waiting')}>
            <span
              className={`${styles.light} ${running && !finding ? 'breathing' : ''}`}
              data-tone={finding ? LIGHTS[finding.light].tone : running ? 'info' : undefined}
            >
              {finding ? (
                <>
                  <Icon name={LIGHTS[finding.light].icon} />
                  {LIGHTS[finding.light].label}
                </>
              ) : running ? (
                'Running…'
              ) : (
                'Pending'
              )}
            </span>
            <div className={`stack ${styles.text}`}>
              <h3>{title}</h3>
              {finding && (
                <p className={styles.found}>
                  {finding.found} <small className="fine">{format.time(finding.ms)}</small>
                </p>
              )}
              {finding?.advice && (
                <p className={`soft ${styles.advice}`}>
                  <b>Suggested fix:</b> {finding.advice}
                </p>
              )}
              <p className="faint">{about}</p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
