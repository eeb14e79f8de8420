import type { StepProfile } from '../../../worker/api.ts';
import { Panel } from '../../components/Panel.tsx';
import * as format from '../../format.ts';
import { explainParts, partsOf } from './breakdown.ts';
import styles from './Breakdown.module.css';
import shared from './Profile.module.css';

const TITLES = {
  kernels: 'Kernels, one by one',
  'between kernels': 'Between kernels',
  'between steps': 'Between steps',
} as const;

/** A step's wall clock against the sum of its kernels, the difference named. */
export function Breakdown({ profile }: { profile: StepProfile }) {
  const { wall, batchSize } = profile;
  const parts = partsOf(profile);
  const total = parts.reduce((sum, { ms }) => sum + Math.max(0, ms), 0);
  return (
    <Panel
      title={`A step takes ${format.time(wall.median)}`}
      explanation={`${format.rate((1000 * batchSize) / wall.median)} images a second, ${profile.kernels.length} kernels. Wall clock of steps in a row, ${format.time(wall.p10)} to ${format.time(wall.p90)} (10th to 90th percentile of ${wall.samples} samples of ${wall.repetitions} steps).`}
    >
      <div className={styles.stack} aria-hidden="true">
        {parts.map(({ name, ms }) =>
          ms > 0 ? <span key={name} data-part={name} style={{ width: `${(100 * ms) / total}%` }} /> : null,
        )}
      </div>
      <dl className={styles.figures}>
        {parts.map(({ name, ms }) => (
          <div key={name}>
            <dt>
              <i className={shared.swatch} data-part={name} aria-hidden="true" />
              {TITLES[name]}
            </dt>
            <dd>
              {ms < 0 && '−'}
              {format.time(Math.abs(ms))}
            </dd>
          </div>
        ))}
        <div>
          <dt>Wall clock</dt>
          <dd>{format.time(wall.median)}</dd>
        </div>
      </dl>
      {explainParts(parts).map((sentence) => (
        <p key={sentence} className={shared.note}>
          {sentence}
        </p>
      ))}
    </Panel>
  );
}
