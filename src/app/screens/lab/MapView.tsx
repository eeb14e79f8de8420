import { useMemo } from 'react';
import type { ConvChoice, FindRequest } from '../../../worker/api.ts';
import { Heatmap } from '../../charts/heatmap/Heatmap.tsx';
import { ask } from '../../client.ts';
import { Panel } from '../../widgets/Panel.tsx';
import { Select } from '../../widgets/Select.tsx';
import { useAnswer } from '../../components/use-answer.ts';
import { isSlow } from '../../state/device.ts';
import { useApp } from '../../state/store.ts';
import { byProblem } from './batch.ts';
import {
  cellOf,
  CHANNELS,
  FILTERS,
  IMAGES,
  mapCells,
  MAX_FLOPS,
  MAX_FLOPS_ON_CPU,
  measuredCell,
  predictedCell,
} from './map-cells.ts';
import {
  CaptionedChoice,
  DirectionChoice,
  MeasureForm,
  NumberChoice,
  BatchSlider,
  useNumberObstacle,
  useObstacle,
  MOST_IMAGES,
} from './controls.tsx';
import { useProgress } from './estimate.ts';
import { measure, useLab } from './lab-store.ts';
import { Legend } from './Legend.tsx';
import { raceThis, requestOf } from './race.ts';
import { LabFooter } from './LabFooter.tsx';
import { DIRECTIONS } from './sizes.ts';
import { NUMBERS, oneOf, powerOf, useSettings } from './use-settings.ts';

const DEFAULTS = {
  direction: 'fprop',
  N: '16',
  filter: '3',
  channels: '256',
  images: '64',
  by: 'find',
  number: 'f32',
};
/** What a CPU measures within a minute or so. */
const SLOW_DEFAULTS = { ...DEFAULTS, N: '1', channels: '16', images: '16' };

/** The settings as they are used. */
function useMapSettings() {
  const slow = useApp(isSlow);
  const [text, change] = useSettings('map', slow ? SLOW_DEFAULTS : DEFAULTS);
  const [mostChannels, largestImage] = [
    powerOf(text.channels, 1, 512, 256),
    powerOf(text.images, 4, 128, 64),
  ];
  return {
    change,
    direction: oneOf(text.direction, DIRECTIONS),
    number: oneOf(text.number, NUMBERS),
    predicted: oneOf(text.by, ['find', 'get']) === 'get',
    filter: Number(oneOf(text.filter, ['3', '1', '5', '7'])),
    N: powerOf(text.N, 1, MOST_IMAGES, 16),
    columns: CHANNELS.filter((channels) => channels <= mostChannels),
    rows: IMAGES.filter((image) => image <= largestImage),
    maxFlops: slow ? MAX_FLOPS_ON_CPU : MAX_FLOPS,
  };
}

type MapSettings = ReturnType<typeof useMapSettings>;

/** The fastest algorithm by channels and image size. */
export function MapView() {
  const settings = useMapSettings();
  const { direction, number, predicted, filter, N, columns, rows, maxFlops } = settings;
  const batch = useLab((state) => state.batches.map);
  const obstacle = useObstacle('map');
  const noHalf = useNumberObstacle(number);
  const sizesOf = (channels: number, image: number) => cellOf(channels, image, N, filter).sizes;
  const predictions = usePredictions(
    predicted && obstacle === undefined && noHalf === undefined
      ? rows.flatMap((image) => columns.map((one) => requestOf(sizesOf(one, image), direction, number)))
      : [],
  );
  const measured = byProblem(batch, number);
  const show = (channels: number, image: number) => {
    const cell = cellOf(channels, image, N, filter);
    return predicted
      ? predictedCell(cell, predictions?.get(JSON.stringify(cell.sizes)))
      : measuredCell(cell, measured(cell.sizes, direction), maxFlops);
  };
  const requests = mapCells(columns, rows, N, filter, maxFlops).map(({ sizes }) =>
    requestOf(sizes, direction, number),
  );
  const progress = useProgress('map', batch, requests.length, 'cell');
  const status = predicted
    ? 'Predicted from sizes, not measured (faded, dashed cells).'
    : `Each cell is a separate race, measured from smallest to largest. ${progress}`;
  const title = `${direction}, ${N} ${N === 1 ? 'image' : 'images'}, filters of ${filter} × ${filter}${number === 'f16' ? ', float16' : ''}`;
  return (
    <Panel
      title={`Fastest algorithm: ${title}`}
      explanation="C = K with “same” padding. Select a cell to race it."
    >
      <div className="stack">
        <MeasureForm
          view="map"
          obstacle={noHalf}
          status={noHalf ?? status}
          onMeasure={predicted ? undefined : () => void measure('map', requests)}
        >
          <MapFields {...settings} />
        </MeasureForm>
        <Heatmap
          caption={`Fastest algorithm for ${title}`}
          columnTitle="Channels C = K"
          rowTitle="Image H = W"
          columns={columns}
          rows={rows}
          cell={show}
          onPress={(channels, image) => raceThis(sizesOf(channels, image), direction, number)}
        />
        <Legend>{!predicted && SIGNS}</Legend>
      </div>
      {batch && !predicted && <LabFooter kind="map" batch={batch} title={`Winner map: ${title}`} />}
    </Panel>
  );
}

/** What the cells of a measured map say besides algorithms. */
const SIGNS = (
  <>
    <li>
      <b>=</b> a tie: both colours
    </li>
    <li>
      <b>?</b> too noisy to tell
    </li>
    <li>Second line: the fastest time · how many times as long the next one takes.</li>
  </>
);

const MapFields = ({ change, direction, number, predicted, filter, N, columns, rows }: MapSettings) => (
  <>
    <DirectionChoice value={direction} onChange={(value) => change({ direction: value })} />
    <CaptionedChoice
      label="Filter"
      value={String(filter)}
      options={squares(FILTERS)}
      onChange={(value) => change({ filter: value })}
    />
    <NumberChoice value={number} onChange={(value) => change({ number: value })} />
    <CaptionedChoice
      label="Source"
      value={predicted ? 'get' : 'find'}
      options={{ find: 'Measured', get: 'Predicted' }}
      onChange={(value) => change({ by: value })}
    />
    <BatchSlider label="Images N" value={N} onChange={(value) => change({ N: value })} />
    <Select
      look="above"
      label="Channels up to"
      value={String(columns.at(-1))}
      options={Object.fromEntries(CHANNELS.map((value) => [value, String(value)]))}
      onChange={(value) => change({ channels: value })}
    />
    <Select
      look="above"
      label="Image up to"
      value={String(rows.at(-1))}
      options={squares(IMAGES)}
      onChange={(value) => change({ images: value })}
    />
  </>
);

const squares = (sides: readonly (string | number)[]): Record<string, string> =>
  Object.fromEntries(sides.map((side) => [side, `${side} × ${side}`]));

/** The predicted choice for each request, by its sizes; undefined until they are known. */
function usePredictions(requests: FindRequest[]): ReadonlyMap<string, ConvChoice> | undefined {
  const key = requests.length > 0 ? JSON.stringify(requests) : undefined;
  const answer = useAnswer(key, () => ask((api) => api.lab.predictChoices(requests)));
  return useMemo(() => {
    if (!answer?.ok || key === undefined) return undefined;
    const asked = JSON.parse(key) as FindRequest[];
    return new Map(
      answer.value.flatMap((choice, i) => (choice ? [[JSON.stringify(asked[i].sizes), choice]] : [])),
    );
  }, [answer, key]);
}
