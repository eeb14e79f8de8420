import { stop } from '../../actions/actions.ts';
import { chosenDataset } from '../../actions/start.ts';
import { Button } from '../../widgets/Button.tsx';
import * as format from '../../format.ts';
import { go, hrefOf } from '../../route.ts';
import { OWN_MODEL } from '../../state/own-model.ts';
import { runIsOpen } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import { build as texts } from '../../messages/en/build.tsx';
import { VERBS } from '../verbs.ts';
import styles from './Build.module.css';
import { choiceForTrain, useBuild } from './build-store.ts';
import { datasetFor, useKnown, useModel } from './use-known.ts';

/** Why the model cannot train; undefined if it can. */
const obstacleTo = (errors: number): string | undefined => (errors > 0 ? texts.invalidModel : undefined);

/** Chooses the model in Train, with a data set that it fits, and goes there. An open run is stopped first. */
export async function bringToTrain(): Promise<void> {
  const build = useBuild.getState();
  const model = build.history.present;
  const { described } = build;
  if (described?.model !== model || obstacleTo(described.description.errors.length) !== undefined) return;
  if (runIsOpen(useApp.getState().runState)) await stop.perform();
  const state = useApp.getState();
  const dataset = datasetFor(state, model);
  const choice = choiceForTrain(build);
  if (choice === OWN_MODEL) state.setOwnModel(model);
  state.change({ model: choice, ...(dataset ? { dataset: dataset.name } : {}) });
  go(hrefOf('train'));
}

export function UseInTrain() {
  const { errors, current } = useKnown();
  const open = useApp((state) => runIsOpen(state.runState));
  const obstacle = obstacleTo(errors.length) ?? (current ? undefined : texts.checking);
  return (
    <Button
      verb={VERBS.bringToTrain}
      kind="primary"
      shortcut="Control+Enter"
      obstacle={obstacle}
      onPress={() => void bringToTrain()}
    >
      {open ? texts.use.stopAndUse : undefined}
    </Button>
  );
}

/** Why the model cannot be used in Train, or what else that changes. */
export function UseNote() {
  const errors = useKnown().errors.length;
  const model = useModel();
  const dataset = useApp((state) => datasetFor(state, model)?.title);
  const chosen = useApp((state) => chosenDataset(state)?.title);
  const open = useApp((state) => runIsOpen(state.runState));
  const images = texts.use.images(format.shape(model.input), model.classes);
  const text = ((): string => {
    const obstacle = obstacleTo(errors);
    if (obstacle !== undefined) return texts.use.fix(obstacle);
    if (dataset === undefined) return texts.use.noDataset(images);
    const change = dataset === chosen ? '' : texts.use.switches(images, dataset);
    return `${change}${open ? texts.use.stops : ''}`;
  })();
  return (
    <p className={`faint ${styles.note}`} role="status" aria-label={texts.use.status}>
      {text}
    </p>
  );
}
