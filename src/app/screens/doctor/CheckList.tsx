import { useState } from 'react';
import type { CheckEntry, Finding, Light, SettingsFix } from '../../../worker/api.ts';
import { Button } from '../../widgets/Button.tsx';
import { Icon, type IconName } from '../../widgets/Icon.tsx';
import { Explain } from '../../widgets/Popover.tsx';
import * as format from '../../format.ts';
import { CheckChart } from './CheckChart.tsx';
import styles from './Doctor.module.css';

const LIGHTS: Readonly<Record<Light, { label: string; icon: IconName; tone?: string }>> = {
  good: { label: 'Passed', icon: 'check', tone: 'good' },
  watch: { label: 'Warning', icon: 'warning', tone: 'warning' },
  bad: { label: 'Failed', icon: 'close', tone: 'error' },
  skipped: { label: 'Skipped', icon: 'info' },
};

/** What needs attention comes first, once all is known. */
const URGENCY: readonly (Light | undefined)[] = ['bad', 'watch', undefined, 'good', 'skipped'];

interface CheckListProps {
  checks: readonly CheckEntry[];
  findings: readonly Finding[];
  /** The name of the check that is running. */
  checking: string | undefined;
  /** Why settings cannot be changed now. */
  obstacle?: string | undefined;
  onFix(fix: SettingsFix): void;
}

/** Every check with its state, in words too: failures first, with what was found, a picture, and how to fix it. */
export function CheckList({ checks, findings, checking, obstacle, onFix }: CheckListProps) {
  const findingOf = ({ name }: CheckEntry) => findings.find((one) => one.name === name);
  const urgency = (check: CheckEntry) => URGENCY.indexOf(findingOf(check)?.light);
  // Nothing moves while the checks run.
  const sorted = checking === undefined ? checks.toSorted((a, b) => urgency(a) - urgency(b)) : checks;
  return (
    <ol className={styles.checks}>
      {sorted.map((check) => (
        <Check
          key={check.name}
          check={check}
          finding={findingOf(check)}
          running={check.name === checking}
          waits={checking !== undefined}
          obstacle={obstacle}
          onFix={onFix}
        />
      ))}
    </ol>
  );
}

interface CheckProps extends Pick<CheckListProps, 'obstacle' | 'onFix'> {
  check: CheckEntry;
  finding: Finding | undefined;
  running: boolean;
  /** For the checks before it. */
  waits: boolean;
}

function Check({ check: { title, about }, finding, running, waits, obstacle, onFix }: CheckProps) {
  const [applied, setApplied] = useState<string>();
  const light = finding && LIGHTS[finding.light];
  const fix = finding?.fix;
  return (
    <li className={`card ${styles.check}`} data-light={finding?.light ?? (running ? 'checking' : 'waiting')}>
      <div className="spread">
        <h3>
          {title}
          <Explain of={title}>{about}</Explain>
        </h3>
        <span
          className={`${styles.light} ${running && !finding ? 'breathing' : ''}`}
          data-tone={light ? light.tone : running ? 'info' : undefined}
        >
          {light && <Icon name={light.icon} />}
          {light?.label ?? (running ? 'Running…' : waits ? 'Waiting for its turn' : 'Not run yet')}
        </span>
      </div>
      {finding?.chart && <CheckChart chart={finding.chart} title={title} />}
      <div className={styles.text}>
        {finding && (
          <p className={styles.found}>
            {format.prose(finding.found)} <small className="fine">{format.time(finding.ms)}</small>
          </p>
        )}
        {finding?.advice && (
          <p className={`soft ${styles.advice}`}>
            <b>Suggested fix:</b> {format.prose(finding.advice)}
          </p>
        )}
        {fix && (
          <div className="row">
            <Button
              icon="check"
              obstacle={obstacle}
              onPress={() => {
                onFix(fix);
                setApplied(fix.title);
              }}
            >
              {fix.title}
            </Button>
            <span className="faint" role="status">
              {applied === fix.title ? 'Done. Run the checks again to see what it changes.' : ''}
            </span>
          </div>
        )}
      </div>
    </li>
  );
}
