import type { Unit } from '../../run/metrics/table.ts';
import * as format from '../format.ts';

/** Six digits at most: "6.01e+8". */
const three = (value: number): string => {
  const rounded = Number(value.toPrecision(3));
  return rounded < 1e6 ? String(rounded) : rounded.toExponential();
};

interface Show {
  /** In a readout. */
  value(value: number): string;
  /** At an axis. */
  tick(value: number): string;
  /** In a table. */
  cell(value: number): string;
}

/** A loss at an axis, where there is room for five characters: "100k". */
const lossTick = (value: number): string =>
  value >= 1e4 && value < 1e6 ? `${value / 1e3}k` : format.loss(value);

/** How values of each unit are written. */
export const showValue: Record<Unit, Show> = {
  loss: { value: format.loss, tick: lossTick, cell: (value) => value.toFixed(6) },
  share: {
    value: (value) => format.accuracy(value),
    tick: (value) => format.percent(value, 0),
    cell: (value) => format.accuracy(value),
  },
  number: { value: three, tick: three, cell: three },
};
