/** The cells of a winner map: C = K channels on one axis, square images on the other. */
import type { ConvChoice, ConvSizes } from '../../../worker/api.ts';
import type { HeatmapCell } from '../../charts/heatmap/Heatmap.tsx';
import * as format from '../../format.ts';
import type { Measurement } from './batch.ts';
import { lettersOf } from './Chip.tsx';
import { listing, namesOf, standingOf, wrongLanes } from './verdict.ts';

export const CHANNELS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const;
export const IMAGES = [4, 8, 16, 32, 64, 128] as const;
export const FILTERS = ['1', '3', '5', '7'] as const;

/** Largest number of FLOPs of a cell: one that takes seconds can cost the page its GPU. */
export const MAX_FLOPS = 200e9;
/** Largest number of FLOPs of a cell on a CPU. */
export const MAX_FLOPS_ON_CPU = 50e6;

export interface MapCell {
  channels: number;
  image: number;
  sizes: ConvSizes;
  flops: number;
}

/** A convolution padded so that the output is as large as the image. @param filter odd */
export function cellOf(channels: number, image: number, N: number, filter: number): MapCell {
  const padding = (filter - 1) / 2;
  const sizes: ConvSizes = {
    N,
    C: channels,
    H: image,
    W: image,
    K: channels,
    R: filter,
    S: filter,
    stride: [1, 1],
    padding: [padding, padding],
    dilation: [1, 1],
    groups: 1,
    layout: 'nchw',
  };
  return { channels, image, sizes, flops: 2 * N * channels ** 2 * (image * filter) ** 2 };
}

/** Those that are not too slow, smallest first, so that the map fills quickly at first. */
export function mapCells(
  channels: readonly number[],
  images: readonly number[],
  N: number,
  filter: number,
  maxFlops: number,
): MapCell[] {
  return images
    .flatMap((image) => channels.map((one) => cellOf(one, image, N, filter)))
    .filter(({ flops }) => flops <= maxFlops)
    .sort((a, b) => a.flops - b.flops);
}

const placeOf = ({ channels, image }: MapCell): string => `C = K = ${channels}, ${image} × ${image}`;

const emptyCell = (title: string, content = ''): HeatmapCell => ({
  title,
  algorithms: [],
  content,
  state: 'none',
});

/** What a cell of the map of predictions shows. */
export function predictedCell(cell: MapCell, choice: ConvChoice | undefined): HeatmapCell {
  if (!choice) return emptyCell(`${placeOf(cell)}: no prediction`);
  return {
    title: `${placeOf(cell)}: predicted ${choice.algorithm}, not measured`,
    algorithms: [choice.algorithm],
    content: lettersOf(choice.algorithm),
    state: 'predicted',
  };
}

/** What a cell of the measured map shows. */
export function measuredCell(cell: MapCell, one: Measurement | undefined, maxFlops: number): HeatmapCell {
  const place = placeOf(cell);
  if (one?.state === 'measuring') {
    return { title: `${place}: measuring`, algorithms: [], content: '…', state: 'busy' };
  }
  if (one?.state !== 'found' && one?.state !== 'refused') {
    return cell.flops > maxFlops
      ? emptyCell(`${place}: ${format.flops(cell.flops)} are too slow for the map; race it separately`, '–')
      : emptyCell(`${place}: not measured yet`);
  }
  const standing = one.found && standingOf(one);
  if (!standing) return emptyCell(`${place}: ${one.error?.message ?? 'no result'}`, '×');
  const { winner, first, unclear, next, lead } = standing;
  const wrong = wrongLanes(one);
  const time = format.time(winner.median);
  const warning = wrong.length > 0 ? `. Incorrect results: ${listing(wrong)}` : '';
  if (unclear.length > 0) {
    return {
      title: `${place}: too noisy to tell ${listing(namesOf([...first, ...unclear]))} apart, ${time}${warning}`,
      algorithms: [winner.algorithm],
      content: `${lettersOf(winner.algorithm)} ?`,
      small: time,
      state: 'measured',
    };
  }
  const tie = first.length > 1;
  const ahead = next ? `, ${format.times(lead)} as fast as ${next.algorithm}` : '';
  return {
    title: `${place}: ${tie ? 'tie of ' : ''}${listing(namesOf(first))}, ${time}${ahead}${warning}`,
    algorithms: namesOf(first).slice(0, 2),
    content: tie ? '=' : lettersOf(winner.algorithm),
    small: next ? `${time} · ${format.times(lead)}` : time,
    state: 'measured',
  };
}
