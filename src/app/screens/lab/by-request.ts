import { useMemo } from 'react';
import type { ConvDirection, ConvSizes } from '../../../worker/api.ts';
import type { Batch, Measurement } from './batch.ts';
import { textOf } from '../../share/conv-sizes.ts';

const keyOf = (sizes: ConvSizes, direction: ConvDirection): string =>
  `${direction} ${Object.values(textOf(sizes)).join(' ')}`;

/** Finds the measurement of a problem in a batch. */
export function useByRequest(
  batch: Batch | undefined,
): (sizes: ConvSizes, direction: ConvDirection) => Measurement | undefined {
  return useMemo(() => {
    const known = new Map(
      batch?.measurements.map((one) => [keyOf(one.request.sizes, one.request.direction), one]),
    );
    return (sizes, direction) => known.get(keyOf(sizes, direction));
  }, [batch]);
}
