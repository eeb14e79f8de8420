import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import { ALIGNMENT, peakOf, planMemory, type Lifetime, type MemoryPlan } from './memory.ts';

interface MemoryCase {
  tensors: Lifetime[];
  apart: Set<number>[];
}

const overlap = (a: [number, number], b: [number, number]) => a[0] < b[1] && b[0] < a[1];

/** Describes the errors of a plan; empty if there are none. */
function faults({ tensors, apart }: MemoryCase, { places, slabs }: MemoryPlan, limit: number): string[] {
  const found: string[] = [];
  const range = (i: number): [number, number] => [places[i].offset, places[i].offset + tensors[i].bytes];
  tensors.forEach((tensor, i) => {
    if (places[i].offset % ALIGNMENT !== 0) found.push(`${i} is not aligned`);
    if (range(i)[1] > slabs[places[i].slab]) found.push(`${i} leaves its slab`);
    for (let j = 0; j < i; j++) {
      if (places[i].slab !== places[j].slab) continue;
      if (apart[i].has(j)) found.push(`${i} and ${j} share a slab`);
      const together = tensor.first <= tensors[j].last && tensors[j].first <= tensor.last;
      if (together && overlap(range(i), range(j))) found.push(`${i} and ${j} overlap`);
    }
  });
  slabs.forEach((bytes, i) => {
    if (bytes > limit) found.push(`slab ${i} is larger than ${limit}`);
  });
  return found;
}

function randomCase(random: Random): MemoryCase {
  const tensors = Array.from({ length: 1 + random.below(40) }, () => {
    const first = random.below(60);
    return { bytes: 1 + random.below(5000), first, last: first + random.below(20) };
  });
  const apart = tensors.map(() => new Set<number>());
  for (let n = random.below(40); n > 0; n--) {
    const [i, j] = [random.below(tensors.length), random.below(tensors.length)];
    if (i === j) continue;
    apart[i].add(j);
    apart[j].add(i);
  }
  return { tensors, apart };
}

describe('planMemory', () => {
  it('separates tensors that are live together or must not share a slab, in 500 random cases', () => {
    const random = new Random(1, 'memory');
    for (let n = 0; n < 500; n++) {
      const trial = randomCase(random);
      const limit = n % 2 === 0 ? 2 ** 30 : 8192;
      const plan = planMemory(trial.tensors, trial.apart, limit);
      expect(faults(trial, plan, limit), `case ${n}`).toEqual([]);
      const { tensors } = trial;
      const sum = tensors.reduce((total, { bytes }) => total + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT, 0);
      expect(plan.slabs.reduce((total, bytes) => total + bytes, 0)).toBeLessThanOrEqual(sum);
    }
  });

  it('uses the free parts of existing memory, in 200 random cases', () => {
    const random = new Random(2, 'memory');
    for (let n = 0; n < 200; n++) {
      const { tensors, apart } = randomCase(random);
      const given = Array.from({ length: 1 + random.below(3) }, () => {
        const offset = ALIGNMENT * random.below(20);
        return { bytes: 4 * random.below(5000), held: [{ offset, bytes: 1 + random.below(1000) }] };
      });
      const { places, slabs } = planMemory(tensors, apart, 2 ** 30, given);
      expect(slabs.slice(0, given.length)).toEqual(given.map(({ bytes }) => bytes));
      expect(faults({ tensors, apart }, { places, slabs }, 2 ** 30), `case ${n}`).toEqual([]);
      places.forEach(({ slab, offset }, i) => {
        for (const held of given[slab]?.held ?? []) {
          const range: [number, number] = [held.offset, held.offset + held.bytes];
          expect(overlap([offset, offset + tensors[i].bytes], range), `case ${n}`).toBe(false);
        }
      });
      // If existing memory suffices, nothing is added.
      const room = planMemory(
        tensors,
        tensors.map(() => new Set<number>()),
        2 ** 30,
        [{ bytes: 2 ** 20, held: [] }],
      );
      expect(room.slabs).toEqual([2 ** 20]);
    }
  });

  it('reaches the lower bound where large and long-lived tensors nest', () => {
    const tensors = Array.from({ length: 30 }, (_, i) => ({ bytes: 256 * (31 - i), first: i, last: 60 - i }));
    const alone = tensors.map(() => new Set<number>());
    expect(planMemory(tensors, alone, 2 ** 30).slabs).toEqual([peakOf(tensors)]);
    expect(peakOf([])).toBe(0);
  });

  it('is checked by a test that finds each kind of fault', () => {
    const tensors = [
      { bytes: 300, first: 0, last: 2 },
      { bytes: 300, first: 2, last: 3 },
    ];
    const alone = [new Set<number>(), new Set<number>()];
    const asunder = [new Set([1]), new Set([0])];
    const plan = (offset: number, slab = 0): MemoryPlan => ({
      places: [
        { slab: 0, offset: 0 },
        { slab, offset },
      ],
      slabs: [1024, 1024],
    });
    expect(faults({ tensors, apart: alone }, plan(512), 1024)).toEqual([]);
    expect(faults({ tensors, apart: alone }, plan(256), 1024)).toEqual(['1 and 0 overlap']);
    expect(faults({ tensors, apart: alone }, plan(400), 1024)).toEqual(['1 is not aligned']);
    expect(faults({ tensors, apart: alone }, plan(768), 1024)).toEqual(['1 leaves its slab']);
    expect(faults({ tensors, apart: asunder }, plan(512), 1024)).toEqual(['1 and 0 share a slab']);
    expect(faults({ tensors, apart: alone }, plan(512), 1000)).toHaveLength(2);
  });

  it('lets a chain of equal tensors share two places', () => {
    const tensors = Array.from({ length: 10 }, (_, i) => ({ bytes: 1024, first: i, last: i + 1 }));
    const plan = planMemory(
      tensors,
      tensors.map(() => new Set<number>()),
      2 ** 30,
    );
    expect(plan.slabs).toEqual([2048]);
  });

  it('needs two slabs where each dispatch reads what the one before wrote', () => {
    const tensors = Array.from({ length: 10 }, (_, i) => ({ bytes: 1024, first: i, last: i + 1 }));
    const apart = tensors.map((_, i) => new Set([i - 1, i + 1].filter((j) => j >= 0 && j < 10)));
    expect(planMemory(tensors, apart, 2 ** 30).slabs).toEqual([1024, 1024]);
  });

  it('returns an empty plan for no tensors', () => {
    expect(planMemory([], [], 1024)).toEqual({ places: [], slabs: [] });
  });
});
