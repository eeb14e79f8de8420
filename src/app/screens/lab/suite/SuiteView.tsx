import type { ConvDirection, ConvSuite, FindRequest } from '../../../../worker/api.ts';
import { Button } from '../../../components/Button.tsx';
import { Choice } from '../../../components/Choice.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { Panel } from '../../../components/Panel.tsx';
import { isRunning } from '../batch.ts';
import { Downloads } from '../Downloads.tsx';
import { Captioned, PowerSlider, Select } from '../Field.tsx';
import form from '../Form.module.css';
import { cancel, measure, useLab } from '../lab-store.ts';
import { Method } from '../Method.tsx';
import { useObstacle } from '../obstacle.ts';
import { MEBIBYTE } from '../race/start.ts';
import { DIRECTIONS } from '../sizes.ts';
import { oneOf, powerOf, useSettings } from '../use-settings.ts';
import { useApp } from '../../../state/store.ts';
import { CaseGrid } from './CaseGrid.tsx';
import { LayerTable } from './LayerTable.tsx';

const DEFAULTS = { suite: 'awnn', N: '16', direction: 'fprop' };
const SOFTWARE_DEFAULTS = { ...DEFAULTS, N: '1' };

/** Calls that the study of the nine cases averages over. */
const CALLS = 100;
const ALL_DIRECTIONS: readonly ConvDirection[] = ['fprop', 'dgrad', 'wgrad'];

/** Layers that people know, all of a kind at once. */
export function SuiteView() {
  const suites = useLab((state) => state.catalogue?.suites);
  const software = useApp((state) => state.adapter?.software === true);
  const [settings, change] = useSettings('presets', software ? SOFTWARE_DEFAULTS : DEFAULTS);
  if (!suites) return null;
  const suite = suites.find(({ name }) => name === settings.suite) ?? suites[0];
  const N = powerOf(settings.N, 1, 256, 16);
  const direction = oneOf(settings.direction, ['fprop', 'dgrad', 'wgrad']);
  return (
    <Panel title={suite.title} explanation={suite.description}>
      <div className={form.form}>
        <div className={form.row}>
          <Select
            label="Preset"
            value={suite.name}
            options={suites.map(({ name, title }) => ({ value: name, label: title }))}
            onChange={(value) => change({ suite: value })}
          />
          {!suite.fixed && (
            <>
              <div style={{ width: '12rem' }}>
                <PowerSlider
                  label="Batch size N"
                  least={1}
                  most={256}
                  value={N}
                  onChange={(value) => change({ N: String(value) })}
                />
              </div>
              <Captioned caption="Direction">
                <Choice
                  label="Direction"
                  name="suite-direction"
                  value={direction}
                  options={DIRECTIONS}
                  onChange={(value) => change({ direction: value })}
                />
              </Captioned>
            </>
          )}
          <Start requests={requestsOf(suite, N, direction)} />
        </div>
        <Progress />
        {suite.fixed ? (
          <CaseGrid suite={suite} calls={CALLS} />
        ) : (
          <LayerTable suite={suite} N={N} direction={direction} />
        )}
      </div>
      <Foot title={`${suite.title}, ${suite.fixed ? 'all directions' : `${direction}, N ${N}`}`} />
    </Panel>
  );
}

/** All of a suite: the nine cases in all directions with their averages, the layers of a network in one. */
function requestsOf(suite: ConvSuite, N: number, direction: ConvDirection): FindRequest[] {
  const common = { number: 'f32', workspace: 64 * MEBIBYTE } as const;
  if (!suite.fixed) {
    return suite.layers.map(({ sizes }) => ({ sizes: { ...sizes, N }, direction, ...common }));
  }
  return suite.layers.flatMap(({ sizes }) =>
    ALL_DIRECTIONS.map((one) => ({ sizes, direction: one, averageOf: CALLS, ...common })),
  );
}

function Start({ requests }: { requests: FindRequest[] }) {
  const running = useLab((state) => isRunning(state.batches.suite));
  const obstacle = useObstacle('suite');
  return running ? (
    <Button icon="stop" onPress={() => void cancel()}>
      Stop
    </Button>
  ) : (
    <Button icon="flag" kind="primary" obstacle={obstacle} onPress={() => void measure('suite', requests)}>
      Measure all
    </Button>
  );
}

function Progress() {
  const batch = useLab((state) => state.batches.suite);
  const done =
    batch?.measurements.filter(({ state }) => state === 'found' || state === 'refused').length ?? 0;
  const text = ((): string => {
    if (!batch) return 'Measure all, or race a single one.';
    if (isRunning(batch)) return `Measuring: ${done} of ${batch.measurements.length}.`;
    if (batch.state === 'cancelled') return `Stopped after ${done} of ${batch.measurements.length}.`;
    return batch.state === 'done' ? `All ${done} are measured.` : '';
  })();
  return (
    <>
      <p className={form.note} role="status">
        {text}
      </p>
      {batch?.error && (
        <Notice kind="error" title="The preset ended early">
          <p>
            {batch.error.message} {batch.error.advice}
          </p>
        </Notice>
      )}
    </>
  );
}

function Foot({ title }: { title: string }) {
  const batch = useLab((state) => state.batches.suite);
  if (!batch) return null;
  return (
    <>
      <Method batch={batch} />
      <Downloads kind="preset" batch={batch} title={title} />
    </>
  );
}
