import { useId } from 'react';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { edit } from './build-store.ts';
import styles from './Inspector.module.css';
import { useModel } from './use-known.ts';

const keyOf = (input: readonly number[], classes: number): string => `${input.join()} ${classes}`;

/** Which images the model is made for: those that the data sets have. */
export function ImagesField() {
  const id = useId();
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
    <div className={styles.inputs}>
      <label htmlFor={id}>Made for</label>
      <select
        id={id}
        value={current}
        aria-describedby={`${id}-hint`}
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
      <p id={`${id}-hint`} className={styles.hint}>
        {known
          ? `${known.map(({ title }) => title).join(', ')} ${known.length === 1 ? 'has' : 'have'} such images.`
          : `${model.classes} classes. No data set here has such images.`}
      </p>
    </div>
  );
}
