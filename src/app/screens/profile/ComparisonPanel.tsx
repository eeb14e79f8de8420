import { Heads } from '../../components/Heads.tsx';
import { Panel } from '../../components/Panel.tsx';
import * as format from '../../format.ts';
import type { Profile } from '../../profile-store.ts';
import { differencesOf } from './compare.ts';
import styles from './Profile.module.css';

/** Kernels that are listed. */
const MOST = 12;

interface ComparisonPanelProps {
  profile: Profile;
  earlier: readonly Profile[];
  other: Profile | undefined;
  /** @param against the other's date, as a number; undefined for none */
  onChange(against: number | undefined): void;
}

const nameOf = ({ model, batchSize, date }: Profile): string =>
  `${model}, batch ${batchSize}, ${date.toLocaleTimeString('en')}`;

/** This profile beside an earlier one: the step, and the kernels that changed most. */
export function ComparisonPanel({ profile, earlier, other, onChange }: ComparisonPanelProps) {
  return (
    <Panel
      title="Compared with an earlier profile"
      aside={
        <select
          aria-label="Compare with"
          value={other ? String(other.date.getTime()) : ''}
          onChange={({ target: { value } }) => onChange(value === '' ? undefined : Number(value))}
        >
          <option value="">none</option>
          {earlier.map((one) => (
            <option key={one.date.getTime()} value={one.date.getTime()}>
              {nameOf(one)}
            </option>
          ))}
        </select>
      }
    >
      {other ? (
        <Differences profile={profile} other={other} />
      ) : (
        <p className="faint">Choose one: it appears in the timeline too, on the same scale.</p>
      )}
    </Panel>
  );
}

const signed = (ms: number): string => `${ms < 0 ? '−' : '+'}${format.time(Math.abs(ms))}`;

function Differences({ profile, other }: { profile: Profile; other: Profile }) {
  const rows = differencesOf(profile, other);
  const shown = rows.filter(({ change }) => change !== 0).slice(0, MOST);
  const factor = profile.wall.median / other.wall.median;
  return (
    <>
      <p>
        A step takes <b>{format.time(profile.wall.median)}</b>, {format.times(factor)} as long as the{' '}
        {format.time(other.wall.median)} of {nameOf(other)}.
      </p>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <caption className="unseen">Kernels by the change of their time</caption>
          <Heads of={['Kernel', 'Before', 'Now', 'Change', { name: 'Certain?' }]} />
          <tbody>
            {shown.map(({ kernel, now, before, change, isNoise }) => (
              <tr key={kernel}>
                <th scope="row">{kernel}</th>
                <td>{before === undefined ? '–' : format.time(before)}</td>
                <td>{now === undefined ? '–' : format.time(now)}</td>
                <td>
                  <b>{signed(change)}</b>
                </td>
                <td>{isNoise ? <span className="faint">within the noise</span> : 'yes'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
