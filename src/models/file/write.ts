import type { Layer } from '../../engine/network.ts';
import type { Model } from '../model.ts';

/**
 * The model as JSON that `parseModel` reads, one line per layer; a pair of equal numbers becomes one. The algorithms
 * that a run adds to layers are omitted.
 */
export function toJson({
  layers,
  name,
  title,
  description,
  family,
  input,
  classes,
  weightsInit,
}: Model): string {
  const head = { name, title, description, family, input, classes, weightsInit };
  const lines = Object.entries(head)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `  ${JSON.stringify(key)}: ${spaced(value)},\n`);
  const list = layers.map((layer) => `    ${spaced(plain(layer))}`).join(',\n');
  return `{\n${lines.join('')}  "layers": [\n${list}\n  ]\n}\n`;
}

function plain({ name, op, inputs, attributes = {} }: Layer): object {
  const { run: _, ...rest } = attributes;
  const short = Object.entries(rest).map(([key, value]) => [
    key,
    Array.isArray(value) && value.length === 2 && value[0] === value[1] ? (value[0] as unknown) : value,
  ]);
  return {
    name,
    op,
    ...(inputs ? { inputs } : {}),
    ...(short.length > 0 ? { attributes: Object.fromEntries(short) as object } : {}),
  };
}

/** JSON on one line, with spaces for readability. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${spaced(one)}`);
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}';
}
