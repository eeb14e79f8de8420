/** The descriptions of all ops: the folders here, and the files of activations. */
import { found, foundByName } from '../base/registry.ts';
import type { About } from './about.ts';
import type { ActivationAbout } from './activation.ts';

const activations = foundByName<ActivationAbout>(
  // The query makes each file a module of its own here: the engine's has nothing but what the engine needs.
  import.meta.glob('./activation/*.ts', { eager: true, import: 'about', query: '?about' }),
);

/** By the op's name, in the order of the files. */
export const ABOUTS: ReadonlyMap<string, About> = new Map(
  [
    ...activations.map(([op, about]): About => ({ op, group: 'Activation', elementwise: true, ...about })),
    ...found<About>(import.meta.glob('./*/index.ts', { eager: true, import: 'default' })),
  ].map((about) => [about.op, about]),
);

/** Whether an op changes each value by itself. */
export const isElementwise = (op: string): boolean => ABOUTS.get(op)?.elementwise ?? false;

/** What a layer does, in everyday words and precisely. @param title of the layer, in lists: "Convolution 3 × 3" */
export function explainLayer(op: string, title: string): { everyday: string; more: string } | undefined {
  const about = ABOUTS.get(op);
  if (!about) return undefined;
  const variant = Object.entries(about.variants ?? {}).find(([start]) => title.startsWith(start));
  return { everyday: about.everyday, more: variant?.[1] ?? about.explanation };
}
