import type { FindRequest, LadderStep } from '../../../worker/api.ts';
import { ask } from '../../client.ts';
import { Panel } from '../../widgets/Panel.tsx';
import { useAnswer } from '../../components/use-answer.ts';
import { isSlow } from '../../state/device.ts';
import { useApp } from '../../state/store.ts';
import { byProblem } from './batch.ts';
import { DirectionChoice, MeasureForm, BatchSlider, MOST_IMAGES } from './controls.tsx';
import { useProgress } from './estimate.ts';
import { measure, useLab } from './lab-store.ts';
import { requestOf } from './race.ts';
import { LabFooter } from './LabFooter.tsx';
import { Rungs, type LayerRungs } from './Rungs.tsx';
import { rungsOf } from './rungs.ts';
import { DIRECTIONS } from './sizes.ts';
import { oneOf, powerOf, useSettings } from './use-settings.ts';

const DEFAULTS = { N: '128', direction: 'fprop' };
const SLOW_DEFAULTS = { N: '16', direction: 'fprop' };
const NO_STEPS: readonly LadderStep[] = [];

/** From plain loops on the CPU to the tuned kernel, one optimisation at a time, on two small layers. */
export function LadderView() {
  const ladder = useLab((state) => state.catalogue?.ladder);
  const batch = useLab((state) => state.batches.ladder);
  const slow = useApp(isSlow);
  const ready = useApp((state) => state.device === 'ready');
  const [settings, change] = useSettings('ladder', slow ? SLOW_DEFAULTS : DEFAULTS);
  const measured = byProblem(batch);
  const direction = oneOf(settings.direction, DIRECTIONS);
  const N = powerOf(settings.N, 1, MOST_IMAGES, 128);
  const layers = ladder?.layers.map(({ name, sizes }) => ({ name, sizes: { ...sizes, N } })) ?? [];
  const requests = layers.map(({ sizes }): FindRequest => ({
    ...requestOf(sizes, direction),
    algorithms: ladder ? [ladder.algorithm] : [],
    loops: true,
    thorough: true,
  }));
  const progress = useProgress('ladder', batch, requests.length, 'layer');
  const steps = useAnswer(ready && ladder ? JSON.stringify(requests) : undefined, () =>
    ask((api) => api.lab.ladderSteps(requests)),
  );
  if (!ladder) return null;
  const layerRungs = (request: FindRequest, i: number): LayerRungs => {
    const measurement = measured(request.sizes, direction);
    const known = steps?.ok ? steps.value[i] : NO_STEPS;
    return {
      ...layers[i],
      request,
      flops: measurement?.problem?.flops ?? 0,
      rungs: rungsOf(known, ladder.algorithm, measurement),
    };
  };
  return (
    <div className="column">
      <Panel
        title="Optimising direct convolution"
        explanation="The two convolutions of the network of an ECE 408 report, which optimises them step by step. Each step gives the same result."
      >
        <div className="stack">
          <MeasureForm view="ladder" status={progress} onMeasure={() => void measure('ladder', requests)}>
            <BatchSlider label="Images N" value={N} onChange={(value) => change({ N: value })} />
            <DirectionChoice value={direction} onChange={(value) => change({ direction: value })} />
          </MeasureForm>
        </div>
      </Panel>
      <Panel
        title="Steps"
        explanation="Times on a logarithmic scale: equal distances are equal speed-ups. The further left, the faster."
      >
        <Rungs layers={requests.map(layerRungs)} />
      </Panel>
      {batch && (
        <Panel title="Method">
          <LabFooter
            kind="ladder"
            batch={batch}
            title={`Ladder of direct convolution, ${direction}, N ${N}`}
          />
        </Panel>
      )}
    </div>
  );
}
