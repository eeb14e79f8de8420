import { digits } from '../components/maps/numbers.ts';
import * as format from '../format.ts';
import { network as texts } from '../messages/en/network.tsx';
import type { Look } from '../../worker/api.ts';
import type { ValueBox } from '../../ops/reads.ts';
import type { ValuePosition } from './receptive.ts';

interface FieldTextProps {
  look: Look;
  place: ValuePosition | undefined;
  field: ReadonlyMap<string, ValueBox>;
}

/** A value of a network and what it reads, in words. */
export function FieldText({ look, place, field }: FieldTextProps) {
  const layer = look.layers.find(({ name }) => name === place?.layer);
  if (!place || !layer || layer.op === 'input') return texts.noValue;
  const [, height = 1, width = 1] = layer.shape;
  const { k, p, q } = place;
  const whole = look.overviews[layer.name];
  const value = whole?.[(k * height + p) * width + q];
  const input = field.get(look.layers[0].name);
  return (
    <>
      <code>
        {layer.name}[{height * width > 1 ? `${k}, ${p}, ${q}` : k}]
      </code>
      {value !== undefined && <span className="numbers"> = {digits(value, 4)}</span>}
      {layer.takes.map((name) => {
        const read = field.get(name);
        return read && name !== look.layers[0].name ? texts.reads(sizeText(read), name) : '';
      })}
      {input && texts.sees(sizeText(input, false), spanText(input.rows), spanText(input.columns))}.
    </>
  );
}

const lengthOf = ([from, end]: readonly [number, number]): number => end - from;
const spanText = ([from, end]: readonly [number, number]): string =>
  end - from === 1 ? String(from) : texts.span(from, end - 1);

/** "6 × 5 × 5", or without channels "5 × 5". */
function sizeText({ channels, rows, columns }: ValueBox, deep = true): string {
  const plane = [lengthOf(rows), lengthOf(columns)];
  if (!deep) return format.shape(plane);
  return lengthOf(rows) * lengthOf(columns) === 1 && lengthOf(channels) > 1
    ? texts.values(lengthOf(channels))
    : format.shape([lengthOf(channels), ...plane]);
}
