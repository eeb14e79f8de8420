import { useId } from 'react';
import type { ModelEntry, ModelFile, ModelLayer } from '../../../worker/api.ts';
import { chosenDataset } from '../../actions/start.ts';
import { ask } from '../../client.ts';
import { FailureNotice } from '../../components/Notice.tsx';
import { explainLayer } from '../../components/explain-layer.ts';
import { later } from '../../components/later.tsx';
import { LayerPicture } from '../../components/LayerPicture.tsx';
import { Panel } from '../../components/Panel.tsx';
import * as format from '../../format.ts';
import { hrefOf } from '../../route.ts';
import { OWN_MODEL } from '../../state/own-model.ts';
import { useApp } from '../../state/store.ts';
import { useAnswer } from '../../components/use-answer.ts';
import styles from './Train.module.css';

const Folding = later('Folding of batch norm', async () => (await import('./Folding.tsx')).Folding);

/** The choice of a model, and its layers from the image to the class scores. */
export function ModelPanel() {
  const { model, error } = useChosenModel();
  return (
    <Panel
      title="Model"
      folding
      aside={model && <span className="faint numbers">{format.count(model.parameters)} parameters</span>}
    >
      <ModelChoice />
      <p className={`faint ${styles.description}`}>{model ? model.description : 'Loading model…'}</p>
      {error && <FailureNotice kind="warning" title="This model does not fit this data set" error={error} />}
      {model && (
        <ol className={styles.layers} aria-label={`Layers of ${model.title}`}>
          <li className={`beside ${styles.layerRow}`}>
            <LayerPicture shape={model.inputShape} />
            <span>Image</span>
            <span className="faint numbers">{format.shape(model.inputShape)}</span>
          </li>
          {model.layers.map((layer) => (
            <Layer key={layer.name} layer={layer} />
          ))}
        </ol>
      )}
      {model?.layers.some(({ title }) => title === 'Batch normalisation') && <Folding key={model.title} />}
    </Panel>
  );
}

/** The chosen model, fitted to the chosen data set; as registered, until the worker has fitted it. */
function useChosenModel() {
  const name = useApp((state) => state.settings.model);
  const own = useApp((state) => (state.settings.model === OWN_MODEL ? state.ownModel : undefined));
  const registered = useApp((state) => state.models.find((model) => model.name === name));
  const dataset = useApp(chosenDataset);
  const choice = own ?? name;
  const key = dataset && JSON.stringify([choice, dataset.shape, dataset.classes]);
  const answer = useAnswer(key, () => {
    const { title = '', shape = [], classes = [] } = dataset ?? {};
    return ask((api) => api.modelFor(choice, { name: title, shape, classes }));
  });
  return {
    model: answer?.ok ? answer.value : registered,
    error: answer && !answer.ok ? answer.error : undefined,
  };
}

function ModelChoice() {
  const id = useId();
  const models = useApp((state) => state.models);
  const own = useApp((state) => state.ownModel);
  const value = useApp((state) => state.settings.model);
  const change = useApp((state) => state.change);
  return (
    <div className={`row ${styles.choice}`}>
      <label htmlFor={id} className="unseen">
        Model
      </label>
      <select id={id} value={value} onChange={(event) => change({ model: event.target.value })}>
        {own && <OwnOption own={own} />}
        {families(models).map(([family, members]) => (
          <optgroup key={family} label={family}>
            {members.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <a href={hrefOf('build')}>Edit in Build</a>
    </div>
  );
}

const OwnOption = ({ own }: { own: ModelFile }) => (
  <optgroup label="Your model">
    <option value={OWN_MODEL}>{own.title}</option>
  </optgroup>
);

/** Models by family, small ones first. */
function families(models: readonly ModelEntry[]): [string, ModelEntry[]][] {
  const found = new Map<string, ModelEntry[]>();
  const bySize = models.toSorted((a, b) => a.parameters - b.parameters);
  for (const model of bySize) {
    const family = model.family ?? 'Others';
    found.set(family, [...(found.get(family) ?? []), model]);
  }
  return [...found];
}

function Layer({ layer }: { layer: ModelLayer }) {
  const explanation = explainLayer(layer.title);
  return (
    <li>
      <details className={styles.layer} name="layer">
        <summary className="beside" title={explanation}>
          <LayerPicture shape={layer.outputShape} />
          <span>{layer.title}</span>
          <span className="faint numbers">{format.shape(layer.outputShape)}</span>
        </summary>
        <p className={`soft ${styles.explanation}`}>
          {explanation} <code>{layer.name}</code>{' '}
          {layer.parameters > 0
            ? `has ${format.count(layer.parameters)} trainable parameters.`
            : 'has no trainable parameters.'}
        </p>
      </details>
    </li>
  );
}
