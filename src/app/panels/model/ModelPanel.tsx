import type { ModelLayer } from '../../../worker/api.ts';
import { Panel } from '../../components/Panel.tsx';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { explainLayer } from './explain.ts';
import { LayerPicture } from './LayerPicture.tsx';
import styles from './ModelPanel.module.css';

/** The network, layer by layer, from the image to the answer. */
export function ModelPanel() {
  const model = useApp((state) => state.models.find(({ name }) => name === state.settings.model));
  return (
    <Panel
      title="Model"
      folding
      aside={model && <span className={styles.total}>{format.count(model.parameters)} parameters</span>}
      explanation={model ? model.description : 'Waiting for the model…'}
    >
      {model && (
        <ol className={styles.layers} aria-label={`Layers of ${model.title}`}>
          <li className={styles.input}>
            <LayerPicture shape={model.inputShape} />
            <span className={styles.title}>Image</span>
            <span className={styles.shape}>{format.shape(model.inputShape)}</span>
          </li>
          {model.layers.map((layer) => (
            <Layer key={layer.name} layer={layer} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Layer({ layer }: { layer: ModelLayer }) {
  const explanation = explainLayer(layer.title);
  return (
    <li>
      <details className={styles.layer} name="layer">
        <summary title={explanation}>
          <LayerPicture shape={layer.outputShape} />
          <span className={styles.title}>{layer.title}</span>
          <span className={styles.shape}>{format.shape(layer.outputShape)}</span>
        </summary>
        <p className={styles.explanation}>
          {explanation} <code>{layer.name}</code>{' '}
          {layer.parameters > 0
            ? `has ${format.count(layer.parameters)} parameters to learn.`
            : 'has nothing to learn.'}
        </p>
      </details>
    </li>
  );
}
