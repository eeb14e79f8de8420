import { useState } from 'react';
import { Labelled } from '../../../components/Labelled.tsx';
import { obstacleToMixed, PRECISIONS } from '../../../state/precision.ts';
import type { SettingsErrors } from '../../../state/read-settings.ts';
import type { Settings } from '../../../state/settings.ts';
import { useApp } from '../../../state/store.ts';
import { Field } from './Field.tsx';
import styles from './SettingsPanel.module.css';

const FIELDS = [
  {
    name: 'labelSmoothing',
    label: 'Label smoothing',
    words: 'smoothed labels',
    hint: 'Asks for a little less than certainty, so that the network does not become too sure. 0: not at all; 0.1 is usual.',
  },
  {
    name: 'clipNorm',
    label: 'Clip gradients at',
    words: 'clipping',
    hint: 'The longest step that gradients may ask for, as their norm: one wild batch then does no harm. Empty: no limit.',
  },
  {
    name: 'ema',
    label: 'Average weights over',
    words: 'averages',
    hint: 'Answers and tests come from a running average of the weights, which is calmer. 0.99 looks back over about 100 steps. Empty: no average.',
  },
] as const satisfies readonly { name: keyof Settings; [words: string]: string }[];

const ALL = ['epochs', 'warmup', ...FIELDS.map(({ name }) => name)] as const;

/** How long, how the learning rate goes, and what few need. */
export function More({ errors }: { errors: SettingsErrors }) {
  const settings = useApp((state) => state.settings);
  const schedules = useApp((state) => state.schedules);
  const change = useApp((state) => state.change);
  const [open, setOpen] = useState(false);
  const mixed = settings.precision === 'mixed';
  const impossible = useApp(obstacleToMixed);
  const wrong = ALL.some((name) => errors[name] !== undefined) || (mixed && impossible !== undefined);
  const used = [
    ...(settings.epochs.trim() ? [`${settings.epochs} epochs`] : []),
    ...(settings.schedule === 'constant' ? [] : [settings.schedule]),
    ...FIELDS.filter(({ name }) => settings[name].trim() !== '' && settings[name].trim() !== '0').map(
      ({ words }) => words,
    ),
    ...(mixed ? ['mixed precision'] : []),
  ];
  const summary = schedules.find(({ name }) => name === settings.schedule)?.summary;
  return (
    <details
      className={styles.group}
      open={open || wrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        More <span className={styles.summary}>{used.join(', ')}</span>
      </summary>
      <Field
        label="Epochs"
        hint="How often all images are learnt from, after which the run rests. Empty: until you stop it."
        error={errors.epochs}
        value={settings.epochs}
        onChange={(epochs) => change({ epochs })}
      />
      <Labelled
        label="Learning rate over the run"
        hint={`${summary ? `It ${summary}.` : 'How it changes from the first step to the last.'} Long steps find the way, short ones the place.`}
      >
        {(described) => (
          <select
            {...described}
            value={settings.schedule}
            onChange={(event) => change({ schedule: event.target.value })}
          >
            {schedules.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Field
        label="Warm-up"
        hint="Epochs in which the learning rate rises to its first value. Empty: none."
        error={errors.warmup}
        value={settings.warmup}
        onChange={(warmup) => change({ warmup })}
      />
      {FIELDS.map(({ name, label, hint }) => (
        <Field
          key={name}
          label={label}
          hint={hint}
          error={errors[name]}
          value={settings[name]}
          onChange={(value) => change({ [name]: value })}
        />
      ))}
      <Labelled
        label="Precision"
        hint={
          impossible ??
          'Mixed stores what layers put out in 16 bits: large models take less memory and time. All sums keep 32.'
        }
        error={mixed ? impossible : undefined}
      >
        {(described) => (
          <select
            {...described}
            value={settings.precision}
            onChange={(event) => change({ precision: event.target.value === 'mixed' ? 'mixed' : 'float32' })}
          >
            {PRECISIONS.map(({ name, title }) => (
              <option key={name} value={name} disabled={name === 'mixed' && impossible !== undefined}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Labelled>
    </details>
  );
}
