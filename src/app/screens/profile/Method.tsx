import { SETTINGS } from '../../../run/settings/table.ts';
import { Button } from '../../widgets/Button.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { download, fileName } from '../../download.ts';
import * as format from '../../format.ts';
import type { RunProfile } from '../../state/profile-store.ts';
import styles from './Profile.module.css';

/** A timer's resolution; whole nanoseconds below a microsecond. */
const resolution = (ms: number): string => (ms < 1e-3 ? `${Math.round(1e6 * ms)} ns` : format.time(ms));

/** Where and how the step was measured, and downloads of the results. */
export function Method({ profile }: { profile: RunProfile }) {
  const { adapter, date, clock, tickMs, model, batchSize, ceilings } = profile;
  return (
    <Panel title="How this was measured">
      <div className={`stack soft ${styles.method}`}>
        <p>
          <b>{adapter?.description ?? 'Unknown adapter'}</b> · {format.dateAndTime(date)} · {model}, batches
          of {format.count(batchSize)}, {SETTINGS.optimizer.choices[profile.config.optimizer]}
        </p>
        {clock === 'wall' && (
          <p>
            <b>This adapter has no timestamps:</b> kernels are timed by the wall clock, so GPU round-trip
            overhead is included.
          </p>
        )}
        {clock === 'timestamps' && tickMs !== undefined && (
          <p>
            Timer resolution: {resolution(tickMs)}
            {tickMs >= 0.05
              ? ' (rounded by the browser). Kernels are repeated until that is at most 2 % of the measured time.'
              : '.'}
          </p>
        )}
        {adapter?.software && <p>This is a software renderer; its timings say nothing about real GPUs.</p>}
        <ul>
          <li>Synthetic images are used; timing does not depend on content. Your run is not affected.</li>
          <li>
            Each kernel is timed in isolation; the median of up to {profile.kernels[0].time.samples} samples
            is shown. Waiting time within a step is not included.
          </li>
          <li>
            FLOPs count a multiply–add as two. Memory is the minimum that a kernel has to read and write.
          </li>
          <li>
            Peaks: a matrix multiplication by wgrad’s own kernel, fastest at {ceilings.product.size} ×{' '}
            {ceilings.product.size}, and a copy, fastest at {format.memory(ceilings.copy.bytes)}; each the
            best of several sizes and samples, or of the step’s own kernels.
          </li>
        </ul>
        <Downloads profile={profile} />
      </div>
    </Panel>
  );
}

/** All measurements, with device, browser and date. */
function jsonOf(profile: RunProfile): string {
  const { trace: _, adapter, date, config, spans, ...numbers } = profile;
  const report = { adapter, date, browser: navigator.userAgent, config, ...numbers, spans };
  return JSON.stringify(report, null, 1);
}

function Downloads({ profile }: { profile: RunProfile }) {
  const name = fileName('profile', profile.date);
  return (
    <div className="row">
      <Button
        icon="download"
        title="For ui.perfetto.dev or chrome://tracing"
        onPress={() => download(`${name}.trace.json`, 'application/json', profile.trace)}
      >
        Chrome trace
      </Button>
      <Button
        icon="download"
        title="All measurements, with device, browser and date"
        onPress={() => download(`${name}.json`, 'application/json', jsonOf(profile))}
      >
        JSON
      </Button>
      <p className="faint">
        The trace opens in{' '}
        <a href="https://ui.perfetto.dev" target="_blank" rel="noreferrer">
          ui.perfetto.dev
        </a>
        . Drop the file there; it is processed locally.
      </p>
    </div>
  );
}
