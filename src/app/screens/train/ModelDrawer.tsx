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
import { model as texts } from '../../messages/en/model.tsx';
import styles from './Model.module.css';
import { useChosenModel } from './use-chosen-model.ts';

/** The chosen model's layers, from the image to the class scores. */
export function ModelDrawer({ onClose }: { onClose(): void }) {
  const { model, error } = useChosenModel();
  return (
    <Drawer
      title={model?.title ?? texts.title}
      aside={<a href={hrefOf('build')}>{texts.edit}</a>}
      onClose={onClose}
    >
      {model && (
        <p className={`faint ${styles.description}`}>
          {format.prose(model.description)} {texts.parameters(model.parameters)}
        </p>
      )}
      <StartFrom />
      <MatchTable />
      {error && <FailureNotice kind="warning" title={texts.misfit} error={error} />}
      {model && (
        <ol className={styles.layers} aria-label={texts.layersOf(model.title)}>
          <li className={`beside ${styles.row}`}>
            <LayerPicture shape={model.inputShape} />
            <span>{texts.image}</span>
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
          {explanation?.everyday} {explanation?.more} <code>{layer.name}</code> {texts.has(layer.parameters)}
        </p>
      </details>
    </li>
  );
}
