import type { ConvSizes, FindRequest, LadderStep } from '../../../worker/api.ts';
import { TimeBar, TimeTicks } from '../../charts/bars/TimeBar.tsx';
import { timeAxis } from '../../charts/bars/time-axis.ts';
import { ask } from '../../client.ts';
import { Panel } from '../../components/Panel.tsx';
import { useAnswer } from '../../components/use-answer.ts';
import * as format from '../../format.ts';
import { isSlow } from '../../state/device.ts';
import { useApp } from '../../state/store.ts';
import { byProblem, type Measurement } from './batch.ts';
import { DirectionChoice, Interruption, MeasureButton, PowerSlider } from './controls.tsx';
import styles from './Lab.module.css';
import { measure, useLab } from './lab-store.ts';
import { requestOf } from './race.ts';
import { ResultFooter } from './ResultFooter.tsx';
import { rungsOf } from './rungs.ts';
import { describe, DIRECTIONS } from './sizes.ts';
import { oneOf, powerOf, useSettings } from './use-settings.ts';

const DEFAULTS = { N: '128', direction: 'fprop' };
const SLOW_DEFAULTS = { N: '16', direction: 'fprop' };
const NO_STEPS: readonly LadderStep[] = [];

/** From naive loops on the CPU to the tuned kernel, one optimisation at a time, on two small layers. */
export function LadderView() {
  const ladder = useLab((state) => state.catalogue?.ladder);
  const batch = useLab((state) => state.batches.ladder);
  const slow = useApp(isSlow);
  const ready = useApp((state) => state.device === 'ready');
  const [settings, change] = useSettings('ladder', slow ? SLOW_DEFAULTS : DEFAULTS);
  const measured = byProblem(batch);
  const direction = oneOf(settings.direction, DIRECTIONS);
  const N = powerOf(settings.N, 1, 256, 128);
  const layers = ladder?.layers.map(({ name, sizes }) => ({ name, sizes: { ...sizes, N } })) ?? [];
  const requests = layers.map(({ sizes }): FindRequest => ({
    ...requestOf(sizes, direction),
    algorithms: ladder ? [ladder.algorithm] : [],
    loops: true,
    thorough: true,
  }));
  const steps = useAnswer(ready && ladder ? JSON.stringify(requests) : undefined, () =>
    ask((api) => api.ladderSteps(requests)),
  );
  if (!ladder) return null;
  return (
    <div className="column">
      <Panel
        title="Optimising direct convolution"
        explanation="The two convolutions of a LeNet for Fashion-MNIST. Each step gives the same result with one more optimisation."
      >
        <div className="stack">
          <div className={styles.fields}>
            <PowerSlider
              label="Images N"
              least={1}
              most={256}
              value={N}
              onChange={(value) => change({ N: String(value) })}
            />
            <DirectionChoice value={direction} onChange={(value) => change({ direction: value })} />
            <MeasureButton place="ladder" onPress={() => void measure('ladder', requests)}>
              Run all steps
            </MeasureButton>
          </div>
          <Interruption place="ladder" />
        </div>
      </Panel>
      <div className={styles.ladders}>
        {layers.map(({ name, sizes }, i) => (
          <Layer
            key={name}
            name={name}
            sizes={sizes}
            steps={steps?.ok ? steps.value[i] : NO_STEPS}
            algorithm={ladder.algorithm}
            measurement={measured(sizes, direction)}
          />
        ))}
      </div>
      {batch && (
        <Panel title="Method">
          <ResultFooter
            kind="ladder"
            batch={batch}
            title={`Ladder of direct convolution, ${direction}, N ${N}`}
          />
        </Panel>
      )}
    </div>
  );
}

interface LayerProps {
  name: string;
  sizes: ConvSizes;
  steps: readonly LadderStep[];
  algorithm: string;
  measurement: Measurement | undefined;
}

function Layer({ name, sizes, steps, algorithm, measurement }: LayerProps) {
  const rungs = rungsOf(steps, algorithm, measurement);
  const axis = timeAxis(
    'log',
    rungs.flatMap(({ time }) => time ?? []),
  );
  const [loops] = rungs;
  const flops = measurement?.problem?.flops ?? 0;
  return (
    <Panel title={name} explanation={describe(sizes)}>
      <div className={`wide-only ${styles.axis}`}>
        <TimeTicks axis={axis} />
      </div>
      <ol className={styles.rungs}>
        {rungs.map(({ title, sentence, algorithm: look, time, launch, missing }, i) => (
          <li key={title}>
            <div>
              <h3>
                <span className={styles.count} aria-hidden="true">
                  {i}
                </span>
                {title}
              </h3>
              <p className="soft">{sentence}</p>
            </div>
            <div>
              {time && axis ? (
                <>
                  <TimeBar algorithm={look} axis={axis} time={time} />
                  <p className={styles.figures}>
                    <b>{format.time(time.median)}</b>
                    {flops > 0 && <span>{format.flopRate((1000 * flops) / time.median)}</span>}
                    {i > 0 && loops.time && (
                      <span>{format.times(loops.time.median / time.median)} as fast as the loops</span>
                    )}
                  </p>
                  {launch !== '' && <p className="fine">fastest: {launch}</p>}
                </>
              ) : (
                <p className="faint">{missing}</p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
