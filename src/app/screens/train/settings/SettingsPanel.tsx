import type { OptimizerName } from '../../../../worker/api.ts';
import { chosenDataset } from '../../../actions/start.ts';
import { Button } from '../../../components/Button.tsx';
import { Labelled, Switch } from '../../../components/Labelled.tsx';
import { Panel } from '../../../components/Panel.tsx';
import { readSettings } from '../../../state/read-settings.ts';
import { runIsOpen } from '../../../state/run.ts';
import { useApp } from '../../../state/store.ts';
import { Field } from './Field.tsx';
import { Memory } from './Memory.tsx';
import { More } from './More.tsx';
import { Recipe } from './Recipe.tsx';
import { Stops } from './Stops.tsx';
import { Variations } from './Variations.tsx';
import styles from './SettingsPanel.module.css';

/** How the network learns. What is changed while a run is open acts at once where it can; see ../changes. */
export function SettingsPanel() {
  const settings = useApp((state) => state.settings);
  const change = useApp((state) => state.change);
  const open = useApp((state) => runIsOpen(state.runState));
  const dataset = useApp(chosenDataset);
  const { errors } = readSettings(settings, dataset);
  const sgd = settings.optimizer === 'sgd';
  return (
    <Panel
      title="Settings"
      folding
      explanation={
        open
          ? 'Marked settings act on the run at once; the others need a restart, which is offered above.'
          : 'How the network learns.'
      }
    >
      <fieldset className={styles.fields}>
        <legend className="unseen">Settings</legend>
        <Recipe />
        <Field
          label="Batch size"
          hint="Images a step. More make a steadier step."
          error={errors.batchSize}
          value={settings.batchSize}
          onChange={(batchSize) => change({ batchSize })}
        />
        <Memory />
        <OptimizerField />
        <Field
          label="Learning rate"
          live={open}
          hint="How far a step goes. Too small crawls, too large diverges."
          error={errors.lr}
          value={settings.lr}
          onChange={(lr) => change({ lr })}
        />
        {sgd && (
          <>
            <Field
              label="Momentum"
              live={open}
              hint="How much of the last step carries over into the next."
              error={errors.momentum}
              value={settings.momentum}
              onChange={(momentum) => change({ momentum })}
            />
            <Switch
              label="Nesterov"
              hint="Looks ahead along the momentum."
              on={settings.nesterov}
              onChange={(on) => change({ nesterov: on })}
            />
          </>
        )}
        <Field
          label="Weight decay"
          live={open}
          hint="Pulls weights towards zero, against learning by heart."
          error={errors.weightDecay}
          value={settings.weightDecay}
          onChange={(weightDecay) => change({ weightDecay })}
        />
        <Variations errors={errors} />
        <Stops errors={errors} />
        <More errors={errors} />
        <Field
          label="Seed"
          hint="The same seed gives the same run, bit by bit."
          error={errors.seed}
          value={settings.seed}
          onChange={(seed) => change({ seed })}
          beside={
            <Button icon="dice" onPress={() => change({ seed: String(Math.floor(Math.random() * 10_000)) })}>
              New
            </Button>
          }
        />
      </fieldset>
    </Panel>
  );
}

function OptimizerField() {
  const optimizers = useApp((state) => state.optimizers);
  const value = useApp((state) => state.settings.optimizer);
  const change = useApp((state) => state.change);
  const choose = (name: OptimizerName) => {
    const lr = optimizers.find((optimizer) => optimizer.name === name)?.defaultLr;
    // A learning rate that suits one optimiser is far off for another.
    change(lr === undefined ? { optimizer: name } : { optimizer: name, lr: String(lr) });
  };
  return (
    <Labelled label="Optimiser" hint="How gradients become steps.">
      {(described) => (
        <select
          {...described}
          value={value}
          onChange={(event) => {
            const chosen = optimizers.find(({ name }) => name === event.target.value);
            if (chosen) choose(chosen.name);
          }}
        >
          {optimizers.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
