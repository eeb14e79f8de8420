import type { CheckEntry, Finding, Light } from '../../../worker/api.ts';
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
  /** Names of checks whose advice is not shown, because another one's is followed first. */
  instead: readonly string[];
}

/** Every check with its state, in words too: failures first, with what was found, a picture, and how to fix it; the rest small. */
export function CheckList({ checks, findings, checking, instead }: CheckListProps) {
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
          isAdvised={!instead.includes(check.name)}
        />
      ))}
    </ol>
  );
}

interface CheckProps {
  check: CheckEntry;
  finding: Finding | undefined;
  running: boolean;
  /** For the checks before it. */
  waits: boolean;
  isAdvised: boolean;
}

function Check({ check: { title, about }, finding, running, waits, isAdvised }: CheckProps) {
  const light = finding && LIGHTS[finding.light];
  const isQuiet = finding?.light === 'good' || finding?.light === 'skipped';
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
      {finding && isQuiet && (
        <details className={styles.quiet}>
          <summary>What it found</summary>
          <Found finding={finding} title={title} isAdvised={isAdvised} />
        </details>
      )}
      {finding && !isQuiet && <Found finding={finding} title={title} isAdvised={isAdvised} />}
    </li>
  );
}

/** What a check has found, with its picture and, where it is wanted, how to fix it. */
const Found = ({ finding, title, isAdvised }: { finding: Finding; title: string; isAdvised: boolean }) => (
  <>
    {finding.chart && <CheckChart chart={finding.chart} title={title} />}
    <div className={styles.text}>
      <p className={styles.found}>
        {format.prose(finding.found)} <small className="fine">{format.time(finding.ms)}</small>
      </p>
      {isAdvised && finding.advice && (
        <p className={`soft ${styles.advice}`}>
          <b>Suggested fix:</b> {format.prose(finding.advice)}
        </p>
      )}
    </div>
  </>
);
