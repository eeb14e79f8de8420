import { useMemo } from 'react';
import type { ConvChoice, FindRequest } from '../../../../worker/api.ts';
import { Heatmap, type HeatmapCell } from '../../../charts/heatmap/Heatmap.tsx';
import { ask } from '../../../client.ts';
import { Button } from '../../../components/Button.tsx';
import { Choice } from '../../../components/Choice.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { Panel } from '../../../components/Panel.tsx';
import * as format from '../../../format.ts';
import { useApp } from '../../../state/store.ts';
import { lookOf } from '../algorithms.ts';
import { isRunning, type Measurement } from '../batch.ts';
import { useByRequest } from '../by-request.ts';
import { Downloads } from '../Downloads.tsx';
import { Captioned, PowerSlider, Select } from '../Field.tsx';
import form from '../Form.module.css';
import { cancel, measure, useLab } from '../lab-store.ts';
import { Method } from '../Method.tsx';
import { useObstacle } from '../obstacle.ts';
import { MEBIBYTE, raceThis } from '../race/start.ts';
import { DIRECTIONS } from '../sizes.ts';
import { useAnswer } from '../../../components/use-answer.ts';
import { oneOf, powerOf, useSettings } from '../use-settings.ts';
import { firstOf, listing, ranking, wrongOf } from '../verdict.ts';
import { cellOf, CHANNELS, FILTERS, IMAGES, mapCells, MOST_FLOPS, MOST_FLOPS_ON_SOFTWARE } from './cells.ts';
import { Legend } from './Legend.tsx';

const DEFAULTS = { direction: 'fprop', N: '16', filter: '3', channels: '256', images: '64', by: 'find' };
/** What a program on the processor gets through in a minute or so. */
const SOFTWARE_DEFAULTS = { ...DEFAULTS, N: '1', channels: '16', images: '16' };

/** Which algorithm wins, over channels and image size. */
export function MapView() {
  const software = useApp((state) => state.adapter?.software === true);
  const [settings, change] = useSettings('map', software ? SOFTWARE_DEFAULTS : DEFAULTS);
  const batch = useLab((state) => state.batches.map);
  const obstacle = useObstacle('map');
  const running = isRunning(batch);

  const direction = oneOf(settings.direction, ['fprop', 'dgrad', 'wgrad']);
  const by = oneOf(settings.by, ['find', 'get']);
  const filter = Number(oneOf(settings.filter, ['3', '1', '5', '7']));
  const N = powerOf(settings.N, 1, 256, 16);
  const most = {
    channels: powerOf(settings.channels, 1, 512, 256),
    images: powerOf(settings.images, 4, 128, 64),
  };
  const columns = CHANNELS.filter((channels) => channels <= most.channels);
  const rows = IMAGES.filter((image) => image <= most.images);
  const mostFlops = software ? MOST_FLOPS_ON_SOFTWARE : MOST_FLOPS;
  const requestOf = (sizes: FindRequest['sizes']): FindRequest => ({
    sizes,
    direction,
    number: 'f32',
    workspace: 64 * MEBIBYTE,
  });

  const predictions = usePredictions(
    by === 'get' && obstacle === undefined
      ? rows.flatMap((image) => columns.map((one) => requestOf(cellOf(one, image, N, filter).sizes)))
      : [],
  );
  const measured = useByRequest(batch);
  const done =
    batch?.measurements.filter(({ state }) => state === 'found' || state === 'refused').length ?? 0;

  const cell = (channels: number, image: number): HeatmapCell => {
    const { sizes, flops } = cellOf(channels, image, N, filter);
    const place = `C = K = ${channels}, ${image} × ${image}`;
    if (by === 'get') {
      const choice = predictions?.get(JSON.stringify(sizes));
      if (!choice) return { title: `${place}: no prediction`, algorithms: [], content: '', state: 'none' };
      return {
        title: `${place}: predicted ${choice.algorithm}, not measured`,
        algorithms: [choice.algorithm],
        content: lookOf(choice.algorithm).letters,
        state: 'predicted',
      };
    }
    const one = measured(sizes, direction);
    if (one?.state === 'found' || one?.state === 'refused') return measuredCell(place, one);
    if (one?.state === 'measuring') {
      return { title: `${place}: being measured`, algorithms: [], content: '…', state: 'busy' };
    }
    if (flops > mostFlops) {
      const title = `${place}: ${format.flops(flops)} are too much for a map here; race it by itself`;
      return { title, algorithms: [], content: '–', state: 'none' };
    }
    return { title: `${place}: not measured yet`, algorithms: [], content: '', state: 'none' };
  };

  const start = () => {
    const cells = mapCells(columns, rows, N, filter, mostFlops);
    void measure(
      'map',
      cells.map(({ sizes }) => requestOf(sizes)),
    );
  };
  const title = `${direction}, ${N} ${N === 1 ? 'image' : 'images'}, filters of ${filter} × ${filter}`;
  return (
    <Panel
      title={`Who wins: ${title}`}
      explanation="As many filters as channels, padded so that the image keeps its size. Press a cell to race it."
    >
      <div className={form.form}>
        <div className={form.row}>
          <Captioned caption="Direction">
            <Choice
              label="Direction"
              name="map-direction"
              value={direction}
              options={DIRECTIONS}
              onChange={(value) => change({ direction: value })}
            />
          </Captioned>
          <Captioned caption="Filter">
            <Choice
              label="Filter"
              name="map-filter"
              value={String(filter)}
              options={FILTERS.map((value) => ({ value: value as string, label: `${value} × ${value}` }))}
              onChange={(value) => change({ filter: value })}
            />
          </Captioned>
          <Captioned caption="Winners">
            <Choice
              label="Winners"
              name="map-by"
              value={by}
              options={[
                { value: 'find', label: 'Measured' },
                { value: 'get', label: 'Predicted' },
              ]}
              onChange={(value) => change({ by: value })}
            />
          </Captioned>
          <PowerSlider
            label="Images N"
            least={1}
            most={256}
            value={N}
            onChange={(value) => change({ N: String(value) })}
          />
          <Select
            label="Channels up to"
            value={String(most.channels)}
            options={CHANNELS.map((value) => ({ value: String(value), label: String(value) }))}
            onChange={(value) => change({ channels: value })}
          />
          <Select
            label="Image up to"
            value={String(most.images)}
            options={IMAGES.map((value) => ({ value: String(value), label: `${value} × ${value}` }))}
            onChange={(value) => change({ images: value })}
          />
          {by === 'find' &&
            (running ? (
              <Button icon="stop" onPress={() => void cancel()}>
                Stop
              </Button>
            ) : (
              <Button icon="flag" kind="primary" obstacle={obstacle} onPress={start}>
                Measure the map
              </Button>
            ))}
        </div>
        <p className={form.note} role="status">
          {by === 'get'
            ? 'Predicted from the sizes alone, at once and without measuring: cells are pale and dashed.'
            : running
              ? `Measuring: ${done} of ${batch?.measurements.length ?? 0} cells.`
              : batch?.state === 'cancelled'
                ? `Stopped after ${done} cells.`
                : 'Each cell is a race of its own; the map fills from the least work to the most.'}
        </p>
        {batch?.error && (
          <Notice kind="error" title="The map ended early">
            <p>
              {batch.error.message} {batch.error.advice}
            </p>
          </Notice>
        )}
        <Heatmap
          caption={`Fastest algorithm for ${title}`}
          columnTitle="Channels C = K"
          rowTitle="Image H = W"
          columns={columns}
          rows={rows}
          cell={cell}
          onPress={(channels, image) => raceThis(cellOf(channels, image, N, filter).sizes, direction)}
        />
        <Legend />
      </div>
      {batch && by === 'find' && (
        <>
          <Method batch={batch} />
          <Downloads kind="map" batch={batch} title={`Winner map: ${title}`} />
        </>
      )}
    </Panel>
  );
}

function measuredCell(place: string, one: Measurement): HeatmapCell {
  const first = firstOf(one).map(({ algorithm }) => algorithm);
  const ranked = ranking(one);
  const wrong = wrongOf(one).map(({ algorithm }) => algorithm);
  if (first.length === 0) {
    return {
      title: `${place}: ${one.error?.message ?? 'nothing answered'}`,
      algorithms: [],
      content: '×',
      state: 'none',
    };
  }
  const [winner] = ranked;
  const next = ranked.find(({ algorithm }) => !first.includes(algorithm));
  const lead = next ? `, ${format.times(next.median / winner.median)} as fast as ${next.algorithm}` : '';
  const warning = wrong.length > 0 ? `. Wrong numbers: ${listing([...new Set(wrong)])}` : '';
  return {
    title: `${place}: ${first.length > 1 ? `a tie of ${listing(first)}` : first[0]}, ${format.time(winner.median)}${lead}${warning}`,
    algorithms: first.slice(0, 2),
    content: first.length > 1 ? '=' : lookOf(first[0]).letters,
    small: format.time(winner.median),
    state: 'measured',
  };
}

/** What is predicted for each request, by its sizes; undefined until it is known. */
function usePredictions(requests: FindRequest[]): ReadonlyMap<string, ConvChoice> | undefined {
  const key = requests.length > 0 ? JSON.stringify(requests) : undefined;
  const answer = useAnswer(key, () => ask((api) => api.predictChoices(requests)));
  return useMemo(() => {
    if (!answer?.ok || key === undefined) return undefined;
    const asked = JSON.parse(key) as FindRequest[];
    return new Map(
      answer.value.flatMap((choice, i) => (choice ? [[JSON.stringify(asked[i].sizes), choice]] : [])),
    );
  }, [answer, key]);
}
