import type { Unit } from '../../run/metrics/table.ts';
import * as format from '../format.ts';

const three = (value: number): string => String(Number(value.toPrecision(3)));

interface Show {
  /** In a readout. */
  value(value: number): string;
  /** At an axis. */
  tick(value: number): string;
  /** In a table. */
  cell(value: number): string;
}

/** How values of each unit are written. */
export const showValue: Record<Unit, Show> = {
  loss: { value: format.loss, tick: format.loss, cell: (value) => value.toFixed(6) },
  share: {
    value: (value) => format.percent(value, 1),
    tick: (value) => format.percent(value, 0),
    cell: (value) => format.percent(value, 2),
  },
  number: { value: three, tick: three, cell: three },
};
