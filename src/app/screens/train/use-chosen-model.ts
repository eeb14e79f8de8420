import { chosenDataset } from '../../actions/start.ts';
import { ask } from '../../client.ts';
import { useAnswer } from '../../components/use-answer.ts';
import { OWN_MODEL } from '../../state/own-model.ts';
import { useApp } from '../../state/store.ts';

/** The chosen model, fitted to the chosen data set; as registered, until the worker has fitted it. */
export function useChosenModel() {
  const name = useApp((state) => state.settings.model);
  const own = useApp((state) => (state.settings.model === OWN_MODEL ? state.ownModel : undefined));
  const registered = useApp((state) => state.models.find((model) => model.name === name));
  const dataset = useApp(chosenDataset);
  const choice = own ?? name;
  // Without classes, as before the first images of one's own, there is nothing to fit it to.
  const key = dataset?.classes.length ? JSON.stringify([choice, dataset.shape, dataset.classes]) : undefined;
  const answer = useAnswer(key, () => {
    const { title = '', shape = [], classes = [] } = dataset ?? {};
    return ask((api) => api.train.modelFor(choice, { name: title, shape, classes }));
  });
  return {
    model: answer?.ok ? answer.value : registered,
    error: answer && !answer.ok ? answer.error : undefined,
  };
}
