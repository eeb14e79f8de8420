import { useState } from 'react';
import { AUGMENTATIONS, type AugmentationKind } from '../../../../base/augmentation.ts';
import { chosenDataset } from '../../../actions/start.ts';
import { Hint, Switch } from '../../../components/Labelled.tsx';
import { settingOf, type SettingsErrors } from '../../../state/read-settings.ts';
import { runIsOpen } from '../../../state/run.ts';
import { useApp } from '../../../state/store.ts';
import { Field } from './Field.tsx';
import styles from './SettingsPanel.module.css';

/** How training images are varied. What is set here holds until another data set is chosen. */
export function Variations({ errors }: { errors: SettingsErrors }) {
  const settings = useApp((state) => state.settings);
  const dataset = useApp(chosenDataset);
  const change = useApp((state) => state.change);
  const [open, setOpen] = useState(false);
  // The run's own images only: those of other data wait for a restart.
  const live = useApp(
    (state) => runIsOpen(state.runState) && state.runConfig?.dataset === state.settings.dataset,
  );
  const kinds = AUGMENTATIONS.map((kind) => ({ kind, value: settingOf(kind.name, settings, dataset) }));
  const on = kinds.filter(({ value }) => Number(value) !== 0).map(({ kind }) => kind.title.toLowerCase());
  const wrong = AUGMENTATIONS.some(({ name }) => errors[name] !== undefined);
  const set = ({ name }: AugmentationKind, value: string) =>
    change({ augmentation: { ...settings.augmentation, [name]: value } });
  return (
    <details
      className={styles.group}
      open={open || wrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        Vary the images <span className={styles.summary}>{on.length > 0 ? on.join(', ') : 'no'}</span>
      </summary>
      <Hint>
        So images hardly ever come twice in the same form, and are not learnt by heart. Tests use them as they
        are.
      </Hint>
      {kinds.map(({ kind, value }) =>
        kind.kind === 'switch' ? (
          <Switch
            key={kind.name}
            label={kind.title}
            hint={kind.summary}
            on={value !== '0'}
            live={live}
            onChange={(to) => set(kind, to ? '1' : '0')}
          />
        ) : (
          <Field
            key={kind.name}
            label={kind.title}
            hint={`${kind.summary} 0: not at all; ${kind.usual} is usual.`}
            error={errors[kind.name]}
            value={value}
            live={live}
            onChange={(typed) => set(kind, typed)}
          />
        ),
      )}
    </details>
  );
}
