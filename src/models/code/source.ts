/** Shared by the exporters of source code. */
import type { LayerShape } from '../../engine/network.ts';
import type { SourceLayer } from '../../ops/layer.ts';
import { requireClasses, type Model } from '../model.ts';

/** @throws Failure('bad-input') if the layers do not fit together */
export const sourceLayers = (model: Model): SourceLayer[] => requireClasses(model).map(sourceLayer);

export const sourceLayer = ({
  layer,
  attributes,
  sources,
  inputs,
  output,
  parameters,
  buffers,
}: LayerShape): SourceLayer => ({
  name: layer.name,
  op: layer.op,
  attributes,
  sources,
  inputs: inputs.map((shape) => shape.slice(1)),
  output: output.slice(1),
  keeps: parameters.length + buffers.length > 0,
});

/** "LeNet-5" to "LeNet5": a name for a class. */
export function className(title: string, fallback: string): string {
  const words = title
    .normalize('NFKD')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const name = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]/.test(name) && !['None', 'True', 'False', 'F'].includes(name) ? name : fallback;
}

/** "# LeNet-5: ...": comments, whatever the user's text. */
export function heading({ title, description }: Model): string {
  const words = `${title}: ${description}`.split(/[\s\p{Cc}\p{Zl}\p{Zp}]+/u).filter(Boolean);
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines[lines.length - 1]} ${word}`;
    if (lines.length > 0 && longer.length <= 100) lines[lines.length - 1] = longer;
    else lines.push(`# ${word}`);
  }
  return lines.join('\n');
}

/** The first free one of x, y, z, ... */
export function variable(taken: ReadonlySet<string>): string {
  for (const name of 'xyzuvw') if (!taken.has(name)) return name;
  for (let n = 1; ; n++) if (!taken.has(`x${n}`)) return `x${n}`;
}
