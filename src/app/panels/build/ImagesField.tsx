import { useId } from 'react';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { edit } from './build-store.ts';
import styles from './Inspector.module.css';
import { useModel } from './use-known.ts';

/** Which images the model is made for, by the data set that has them. */
export function ImagesField() {
  const id = useId();
  const model = useModel();
  const datasets = useApp((state) => state.datasets);
  const fits = ({ shape, classes }: (typeof datasets)[number]) =>
    shape.join() === model.input.join() && classes.length === model.classes;
  const current = datasets.find(fits);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Made for</label>
      <select
        id={id}
        value={current?.name ?? ''}
        aria-describedby={`${id}-hint`}
        onChange={({ target: { value } }) => {
          const chosen = datasets.find(({ name }) => name === value);
          if (!chosen) return;
          const next = { ...model, input: chosen.shape, classes: chosen.classes.length };
          edit(next, { say: `Made for ${chosen.title}.` });
        }}
      >
        {!current && <option value="">other images</option>}
        {datasets.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className={styles.hint}>
        Images of {format.shape(model.input)} in {model.classes} classes.
      </p>
    </div>
  );
}
