import type { Studied } from '../../state/study.ts';
import type { StepProfile } from '../../../worker/api.ts';
import { Button } from '../../components/Button.tsx';
import { Panel } from '../../components/Panel.tsx';
import { download, fileName } from '../../download.ts';
import * as format from '../../format.ts';
import styles from './Method.module.css';

/** A clock's step, whole nanoseconds where it is that fine. */
const tick = (ms: number): string => (ms < 1e-3 ? `${Math.round(1e6 * ms)} ns` : format.time(ms));

/** On what and how it was measured, and the files. */
export function Method({ profile }: { profile: Studied & StepProfile }) {
  const { adapter, date, clock, tickMs, model, batchSize, optimizer, ceilings, trace, ...rest } = profile;
  const name = fileName('profile', date);
  const json = () => {
    const { spans, config, ...numbers } = rest;
    const report = {
      adapter,
      date,
      browser: navigator.userAgent,
      config,
      model,
      batchSize,
      optimizer,
      clock,
      tickMs,
    };
    return JSON.stringify({ ...report, ceilings, ...numbers, spans }, null, 1);
  };
  return (
    <Panel title="How this was measured">
      <div className={styles.method}>
        <p>
          <b>{adapter?.description ?? 'Unknown adapter'}</b> ·{' '}
          {date.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })} · {model}, batches of{' '}
          {format.count(batchSize)}, {optimizer}
        </p>
        {clock === 'wall' && (
          <p>
            <b>This adapter has no timestamps:</b> kernels are timed by the wall clock, and the way to the GPU
            and back is in it.
          </p>
        )}
        {clock === 'timestamps' && tickMs !== undefined && (
          <p>
            The GPU’s clock counts in steps of {tick(tickMs)}
            {tickMs >= 0.05
              ? ', as browsers round it: every kernel is repeated until that is a fiftieth of what is measured.'
              : '.'}
          </p>
        )}
        {adapter?.software && (
          <p>This adapter is a program on the processor: its times say nothing about real GPUs.</p>
        )}
        <ul>
          <li>Images are made up; the time does not depend on what they show. Your run was not touched.</li>
          <li>
            Each kernel is repeated on its own, in {profile.kernels[0].time.samples} samples or fewer; the
            median counts. What it waits for in a step is not in that.
          </li>
          <li>
            Operations are those of sums of products, a product and a sum being two. Memory is what a kernel
            has to read and write at least once.
          </li>
          <li>
            The ceilings: a product of {ceilings.product.size} × {ceilings.product.size} matrices by wgrad’s
            own kernel, and a copy of {format.memory(ceilings.copy.bytes)}: the fastest of some samples of
            each, measured just now.
          </li>
        </ul>
        <div className={styles.downloads}>
          <Button
            icon="download"
            title="For ui.perfetto.dev or chrome://tracing"
            onPress={() => download(`${name}.trace.json`, 'application/json', trace)}
          >
            Chrome trace
          </Button>
          <Button
            icon="download"
            title="All numbers, with adapter, browser and date"
            onPress={() => download(`${name}.json`, 'application/json', json())}
          >
            JSON
          </Button>
          <p>
            The trace opens in{' '}
            <a href="https://ui.perfetto.dev" target="_blank" rel="noreferrer">
              ui.perfetto.dev
            </a>
            , which reads it on your machine: drop the file there.
          </p>
        </div>
      </div>
    </Panel>
  );
}
