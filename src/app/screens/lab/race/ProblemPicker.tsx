import { useMemo } from 'react';
import type { ConvSizes } from '../../../../worker/api.ts';
import { Field } from '../Field.tsx';
import { useLab } from '../lab-store.ts';
import { sameSizes } from '../sizes.ts';
import { textOf } from '../../../share/conv-sizes.ts';
import type { CheckedProblem } from '../use-problem.ts';
import { useCurrentModel, useUses } from '../use-uses.ts';

interface Group {
  title: string;
  layers: readonly { name: string; sizes: ConvSizes }[];
}

/** Fills the form in from a layer of the current model, or of a network that people know. */
export function ProblemPicker({ problem }: { problem: CheckedProblem }) {
  const race = useLab((state) => state.race);
  const setRace = useLab((state) => state.setRace);
  const suites = useLab((state) => state.catalogue?.suites);
  const current = useCurrentModel();
  const uses = useUses(current);
  const title = current && `${current.title}, as it is trained now`;
  const groups = useMemo((): Group[] => {
    const layers = uses.filter(({ direction }) => direction === 'fprop');
    const own = layers.map(({ layer, sizes }) => ({ name: layer, sizes }));
    return [...(title ? [{ title, layers: own }] : []), ...(suites ?? [])];
  }, [uses, suites, title]);
  const options = groups.flatMap((group, i) =>
    group.layers.map((layer, j) => ({ ...layer, group: i, value: `${i}.${j}` })),
  );
  const chosen =
    problem.state === 'wrong' ? undefined : options.find(({ sizes }) => sameSizes(sizes, problem.sizes));
  return (
    <Field label="Fill in">
      {(id) => (
        <select
          id={id}
          value={chosen?.value ?? ''}
          onChange={(event) => {
            const option = options.find(({ value }) => value === event.target.value);
            if (option) setRace({ ...race, sizes: textOf(option.sizes) });
          }}
        >
          <option value="" disabled={chosen !== undefined}>
            Sizes of your own
          </option>
          {groups.map((group, i) => (
            <optgroup key={group.title} label={group.title}>
              {options
                .filter((option) => option.group === i)
                .map(({ name, value }) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
}
