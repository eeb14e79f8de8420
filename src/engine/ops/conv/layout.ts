/** Where a convolution's values lie in memory. */
import type { Layout } from '../../dispatch.ts';
import type { ConvProblem } from './problem.ts';

export { LAYOUTS, type Layout } from '../../dispatch.ts';

/** Distances between neighbours in memory. Those of rows follow: a row is as many pixels as an image is wide. */
interface Distances {
  /** From one image, or filter, to the next. */
  item: number;
  channel: number;
  pixel: number;
}

/** The flat index of a value of x, y or w, and the reverse. */
export class Indexing {
  private readonly distances: Distances;

  constructor(
    layout: Layout,
    readonly channels: number,
    readonly height: number,
    readonly width: number,
  ) {
    const item = channels * height * width;
    this.distances =
      layout === 'nhwc' ? { item, channel: 1, pixel: channels } : { item, channel: height * width, pixel: 1 };
  }

  /** The distance from a value to that of the next column. */
  get pixel(): number {
    return this.distances.pixel;
  }

  at(item: number, channel: number, row: number, column: number): number {
    const { item: items, channel: channels, pixel } = this.distances;
    return item * items + channel * channels + (row * this.width + column) * pixel;
  }

  /** [item, channel, row, column] */
  placeOf(at: number): [item: number, channel: number, row: number, column: number] {
    const { item, channel, pixel } = this.distances;
    const place = Math.floor(at / pixel) % (this.height * this.width);
    return [
      Math.floor(at / item),
      Math.floor(at / channel) % this.channels,
      Math.floor(place / this.width),
      place % this.width,
    ];
  }
}

export const inputIndexing = ({ layout, C, H, W }: ConvProblem) => new Indexing(layout, C, H, W);
export const weightIndexing = ({ layout, C, groups, R, S }: ConvProblem) =>
  new Indexing(layout, C / groups, R, S);
export const outputIndexing = ({ layout, K, P, Q }: ConvProblem) => new Indexing(layout, K, P, Q);

/** The same problem in another layout. */
export const inLayout = (problem: ConvProblem, layout: Layout): ConvProblem =>
  problem.layout === layout ? problem : Object.freeze({ ...problem, layout });
