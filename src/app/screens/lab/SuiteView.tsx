import type { ConvDirection, ConvNumber, ConvSuite, FindRequest } from '../../../worker/api.ts';
import { Panel } from '../../widgets/Panel.tsx';
import { Select } from '../../widgets/Select.tsx';
import { prose } from '../../format.ts';
import { isSlow } from '../../state/device.ts';
import { useApp } from '../../state/store.ts';
import { CaseGrid } from './CaseGrid.tsx';
import {
  DirectionChoice,
  MeasureForm,
  NumberChoice,
  BatchSlider,
  MOST_IMAGES,
  useNumberObstacle,
} from './controls.tsx';
import { useProgress } from './estimate.ts';
import { measure, useLab } from './lab-store.ts';
import { LayerTable } from './LayerTable.tsx';
import { requestOf } from './race.ts';
import { LabFooter } from './LabFooter.tsx';
import { DIRECTIONS } from './sizes.ts';
import { NUMBERS, oneOf, powerOf, useSettings } from './use-settings.ts';

const DEFAULTS = { suite: 'awnn', N: '16', direction: 'fprop', number: 'f32' };
const SLOW_DEFAULTS = { ...DEFAULTS, N: '1' };

/** Calls that the study of the nine cases averages over. */
const CALLS = 100;

/** The layers of a well-known network, or a set of cases, measured together. */
export function SuiteView() {
  const suites = useLab((state) => state.catalogue?.suites);
  const slow = useApp(isSlow);
  const [settings, change] = useSettings('presets', slow ? SLOW_DEFAULTS : DEFAULTS);
  const number = oneOf(settings.number, NUMBERS);
  const obstacle = useNumberObstacle(number);
  if (!suites) return null;
  const suite = suites.find(({ name }) => name === settings.suite) ?? suites[0];
  const N = powerOf(settings.N, 1, MOST_IMAGES, 16);
  const direction = oneOf(settings.direction, DIRECTIONS);
  return (
    <SuitePanel
      suite={suite}
      N={N}
      direction={direction}
      number={number}
      obstacle={obstacle}
      change={change}
    />
  );
}

interface SuitePanelProps {
  suite: ConvSuite;
  N: number;
  direction: ConvDirection;
  number: ConvNumber;
  /** Why its numbers cannot be measured here. */
  obstacle: string | undefined;
  change(settings: Partial<typeof DEFAULTS>): void;
}

function SuitePanel({ suite, N, direction, number, obstacle, change }: SuitePanelProps) {
  const suites = useLab((state) => state.catalogue?.suites) ?? [];
  const batch = useLab((state) => state.batches.suite);
  const requests = requestsOf(suite, N, direction, number);
  const progress = useProgress('suite', batch, requests.length, suite.fixed ? 'race' : 'layer');
  return (
    <Panel title={suite.title} explanation={prose(suite.description)}>
      <div className="stack">
        <MeasureForm
          view="suite"
          obstacle={obstacle}
          status={obstacle ?? progress}
          onMeasure={() => void measure('suite', requests)}
        >
          <Select
            look="above"
            label="Preset"
            value={suite.name}
            options={Object.fromEntries(suites.map(({ name, title }) => [name, title]))}
            onChange={(value) => change({ suite: value })}
          />
          {!suite.fixed && (
            <>
              <BatchSlider label="Batch size N" value={N} onChange={(value) => change({ N: value })} />
              <DirectionChoice value={direction} onChange={(value) => change({ direction: value })} />
            </>
          )}
          <NumberChoice value={number} onChange={(value) => change({ number: value })} />
        </MeasureForm>
        {suite.fixed ? (
          <CaseGrid suite={suite} calls={CALLS} number={number} />
        ) : (
          <LayerTable suite={suite} N={N} direction={direction} number={number} />
        )}
      </div>
      {batch && (
        <LabFooter
          kind="preset"
          batch={batch}
          title={`${suite.title}, ${suite.fixed ? 'all directions' : `${direction}, N ${N}`}${number === 'f16' ? ', float16' : ''}`}
        />
      )}
    </Panel>
  );
}

/** A suite's requests: fixed cases in all directions with averages, the layers of a network in one direction. */
function requestsOf(
  suite: ConvSuite,
  N: number,
  direction: ConvDirection,
  number: ConvNumber,
): FindRequest[] {
  if (!suite.fixed) return suite.layers.map(({ sizes }) => requestOf({ ...sizes, N }, direction, number));
  return suite.layers.flatMap(({ sizes }) =>
    DIRECTIONS.map((one) => ({ ...requestOf(sizes, one, number), averageOf: CALLS })),
  );
}
