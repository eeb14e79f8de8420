import type { FindRequest, LadderStep } from '../../../../worker/api.ts';
import { ask } from '../../../client.ts';
import { Button } from '../../../components/Button.tsx';
import { Choice } from '../../../components/Choice.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { Panel } from '../../../components/Panel.tsx';
import { useApp } from '../../../state/store.ts';
import { isRunning } from '../batch.ts';
import { useByRequest } from '../by-request.ts';
import { Downloads } from '../Downloads.tsx';
import { Captioned, PowerSlider } from '../Field.tsx';
import form from '../Form.module.css';
import { cancel, measure, useLab } from '../lab-store.ts';
import { Method } from '../Method.tsx';
import { useObstacle } from '../obstacle.ts';
import { MEBIBYTE } from '../race/start.ts';
import { DIRECTIONS } from '../sizes.ts';
import { useAnswer } from '../../../components/use-answer.ts';
import { oneOf, powerOf, useSettings } from '../use-settings.ts';
import { Layer } from './Layer.tsx';
import styles from './LadderView.module.css';

const DEFAULTS = { N: '128', direction: 'fprop' };
const SOFTWARE_DEFAULTS = { N: '16', direction: 'fprop' };
const NO_STEPS: readonly LadderStep[] = [];

/** From plain loops on the processor to the tuned kernel, a step at a time, on two small layers. */
export function LadderView() {
  const ladder = useLab((state) => state.catalogue?.ladder);
  const batch = useLab((state) => state.batches.ladder);
  const software = useApp((state) => state.adapter?.software === true);
  const ready = useApp((state) => state.device === 'ready');
  const [settings, change] = useSettings('ladder', software ? SOFTWARE_DEFAULTS : DEFAULTS);
  const measured = useByRequest(batch);
  const running = isRunning(batch);
  const obstacle = useObstacle('ladder');
  const direction = oneOf(settings.direction, ['fprop', 'dgrad', 'wgrad']);
  const N = powerOf(settings.N, 1, 256, 128);
  const layers = ladder?.layers.map(({ name, sizes }) => ({ name, sizes: { ...sizes, N } })) ?? [];
  const requests = layers.map(({ sizes }): FindRequest => ({
    sizes,
    direction,
    number: 'f32',
    workspace: 64 * MEBIBYTE,
    algorithms: ladder ? [ladder.algorithm] : [],
    loops: true,
    thorough: true,
  }));
  const steps = useAnswer(ready && ladder ? JSON.stringify(requests) : undefined, () =>
    ask((api) => api.ladderSteps(requests)),
  );
  if (!ladder) return null;
  return (
    <>
      <Panel
        title="A ladder of direct convolution"
        explanation="The two convolutions of a LeNet for Fashion-MNIST. Every step computes the same numbers; only the way changes."
      >
        <div className={form.row}>
          <div style={{ width: '14rem' }}>
            <PowerSlider
              label="Images N"
              least={1}
              most={256}
              value={N}
              onChange={(value) => change({ N: String(value) })}
            />
          </div>
          <Captioned caption="Direction">
            <Choice
              label="Direction"
              name="ladder-direction"
              value={direction}
              options={DIRECTIONS}
              onChange={(value) => change({ direction: value })}
            />
          </Captioned>
          {running ? (
            <Button icon="stop" onPress={() => void cancel()}>
              Stop
            </Button>
          ) : (
            <Button
              icon="flag"
              kind="primary"
              obstacle={obstacle}
              onPress={() => void measure('ladder', requests)}
            >
              Climb
            </Button>
          )}
        </div>
        {batch?.error && (
          <Notice kind="error" title="The ladder ended early">
            <p>
              {batch.error.message} {batch.error.advice}
            </p>
          </Notice>
        )}
      </Panel>
      <div className={styles.layers}>
        {layers.map(({ name, sizes }, i) => (
          <Layer
            key={name}
            {...{ name, sizes }}
            steps={steps?.ok ? steps.value[i] : NO_STEPS}
            algorithm={ladder.algorithm}
            measurement={measured(sizes, direction)}
          />
        ))}
      </div>
      {batch && (
        <Panel title="About these times">
          <Method batch={batch} />
          <Downloads
            kind="ladder"
            batch={batch}
            title={`Ladder of direct convolution, ${direction}, N ${N}`}
          />
        </Panel>
      )}
    </>
  );
}
