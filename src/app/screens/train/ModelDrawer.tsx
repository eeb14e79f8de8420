import { explainLayer } from '../../../ops/abouts.ts';
import type { ModelLayer } from '../../../worker/api.ts';
import { Drawer } from '../../widgets/Drawer.tsx';
import { MatchTable } from '../../finetune/MatchTable.tsx';
import { StartFrom } from '../../finetune/StartFrom.tsx';
import { LayerPicture } from '../../components/LayerPicture.tsx';
import { FailureNotice } from '../../widgets/Notice.tsx';
import * as format from '../../format.ts';
import { hrefOf } from '../../route.ts';
import { Folding } from './Folding.tsx';
import styles from './Model.module.css';
import { useChosenModel } from './use-chosen-model.ts';

/** The chosen model's layers, from the image to the class scores. */
export function ModelDrawer({ onClose }: { onClose(): void }) {
  const { model, error } = useChosenModel();
  return (
    <Drawer
      title={model?.title ?? 'Model'}
      aside={<a href={hrefOf('build')}>Edit in Build</a>}
      onClose={onClose}
    >
      {model && (
        <p className={`faint ${styles.description}`}>
          {format.prose(model.description)} {format.count(model.parameters)} parameters.
        </p>
      )}
      <StartFrom />
      <MatchTable />
      {error && <FailureNotice kind="warning" title="This model does not fit this data set" error={error} />}
      {model && (
        <ol className={styles.layers} aria-label={`Layers of ${model.title}`}>
          <li className={`beside ${styles.row}`}>
            <LayerPicture shape={model.inputShape} />
            <span>Image</span>
            <span className="faint numbers">{format.shape(model.inputShape)}</span>
          </li>
          {model.layers.map((layer) => (
            <Layer key={layer.name} layer={layer} />
          ))}
        </ol>
      )}
      {model?.layers.some(({ op }) => op === 'batch_norm') && <Folding key={model.title} />}
    </Drawer>
  );
}

function Layer({ layer }: { layer: ModelLayer }) {
  const explanation = explainLayer(layer.op, layer.title);
  return (
    <li>
      <details className={styles.layer} name="layer">
        <summary className="beside" title={explanation?.everyday}>
          <LayerPicture shape={layer.outputShape} />
          <span>{layer.title}</span>
          <span className="faint numbers">{format.shape(layer.outputShape)}</span>
        </summary>
        <p className={`soft ${styles.explanation}`}>
          {explanation?.everyday} {explanation?.more} <code>{layer.name}</code>{' '}
          {layer.parameters > 0
            ? `has ${format.count(layer.parameters)} trainable parameters.`
            : 'has no trainable parameters.'}
        </p>
      </details>
    </li>
  );
}
