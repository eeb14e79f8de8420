/** What matrix products are judged by, and what their results are called. */
import { samplePlaces } from '../../src/engine/ops/conv/sample.ts';
import { PLACES, type Expected } from '../operations/judge.ts';
import { SOURCES, type Task } from './peer.ts';

export function expectedOf({ size }: Task): Expected {
  const places = samplePlaces([size, size], PLACES);
  const exact = places.map((place) => {
    const [row, column] = [Math.floor(place / size), place % size];
    let sum = 0;
    for (let k = 0; k < size; k++) sum += SOURCES.a(row * size + k) * SOURCES.b(k * size + column);
    return sum;
  });
  return { what: `the product of ${size}`, places, exact };
}

/** What the lines about a product begin with. */
export const keyOf = ({ size }: Task) => ({ bench: 'gemm', size });

export const flops = ({ size }: Task): number => 2 * size ** 3;
