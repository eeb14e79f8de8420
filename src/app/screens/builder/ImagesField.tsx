import { Labelled } from '../../components/Labelled.tsx';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { edit } from './build-store.ts';
import { useModel } from './use-known.ts';

const keyOf = (input: readonly number[], classes: number): string => `${input.join()} ${classes}`;

/** Which images the model is made for: those that the data sets have. */
export function ImagesField() {
  const model = useModel();
  const datasets = useApp((state) => state.datasets);
  const kinds = new Map<string, typeof datasets>();
  for (const dataset of datasets) {
    const key = keyOf(dataset.shape, dataset.classes.length);
    kinds.set(key, [...(kinds.get(key) ?? []), dataset]);
  }
  const current = keyOf(model.input, model.classes);
  const known = kinds.get(current);
  return (
    <Labelled
      label="Made for"
      hint={
        known
          ? `${known.map(({ title }) => title).join(', ')} ${known.length === 1 ? 'has' : 'have'} such images.`
          : `${model.classes} classes. No data set here has such images.`
      }
      stacked
    >
      {(described) => (
        <select
          {...described}
          value={current}
          onChange={({ target: { value } }) => {
            const [chosen] = kinds.get(value) ?? [];
            if (!chosen) return;
            const next = { ...model, input: chosen.shape, classes: chosen.classes.length };
            edit(next, { say: `Made for images of ${format.shape(chosen.shape)}.` });
          }}
        >
          {!known && <option value={current}>{format.shape(model.input)}</option>}
          {[...kinds].map(([key, [{ shape, classes }]]) => (
            <option key={key} value={key}>
              {format.shape(shape)}, {classes.length} classes
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
