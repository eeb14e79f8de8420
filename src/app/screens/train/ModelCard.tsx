import { useState } from 'react';
import type { ModelEntry } from '../../../worker/api.ts';
import { later } from '../../components/later.tsx';
import { LayerPicture } from '../../components/LayerPicture.tsx';
import { useRuns } from '../../journal/runs-store.ts';
import { OWN_MODEL } from '../../state/own-model.ts';
import { useApp } from '../../state/store.ts';
import { Select } from '../../widgets/Select.tsx';
import { train as texts } from '../../messages/en/train.tsx';
import styles from './Card.module.css';
import { useChosenModel } from './use-chosen-model.ts';

const ModelDrawer = later('The model', async () => (await import('./ModelDrawer.tsx')).ModelDrawer);

/** Layers that are pictured; deep networks have more than there is room for. */
const PICTURED = 9;

/** The choice of a model. Opens the list of its layers. */
export function ModelCard() {
  const [open, setOpen] = useState(false);
  const { model, error } = useChosenModel();
  const weights = useApp((state) => state.settings.initialWeights);
  const fork = useRuns((state) => state.fork);
  const pretrained = weights !== '' || fork !== undefined;
  const layers = model?.layers.filter(({ title }) => !/^(relu|flatten)/i.test(title)) ?? [];
  return (
    <section className={styles.card} aria-label={texts.model.label}>
      <ModelChoice />
      <button
        type="button"
        className={styles.opener}
        data-tour="model"
        aria-haspopup="dialog"
        aria-expanded={open}
        title={error ? error.message : texts.model.title}
        onClick={() => setOpen(!open)}
      >
        <span className="unseen">{texts.model.layers}: </span>
        <span className={styles.pictures} aria-hidden="true">
          {model && <LayerPicture shape={model.inputShape} />}
          {layers.slice(0, PICTURED).map(({ name, outputShape }) => (
            <LayerPicture key={name} shape={outputShape} />
          ))}
        </span>
        <span className={`fine numbers ${error ? 'error' : ''}`}>
          {error
            ? texts.model.misfit
            : model
              ? texts.model[pretrained ? 'pretrained' : 'parameters'](model.parameters)
              : texts.model.loading}
        </span>
      </button>
      {open && <ModelDrawer onClose={() => setOpen(false)} />}
    </section>
  );
}

function ModelChoice() {
  const models = useApp((state) => state.models);
  const own = useApp((state) => state.ownModel);
  const value = useApp((state) => state.settings.model);
  const change = useApp((state) => state.change);
  return (
    <Select
      look="hidden"
      label={texts.model.label}
      value={value}
      options={[
        own && { value: OWN_MODEL, title: own.title, group: texts.model.own },
        ...families(models).flatMap(([group, members]) =>
          members.map(({ name, title }) => ({ value: name, title, group })),
        ),
      ]}
      onChange={(model) => change({ model })}
    />
  );
}

/** Models by family, small ones first. */
function families(models: readonly ModelEntry[]): [string, ModelEntry[]][] {
  const found = new Map<string, ModelEntry[]>();
  const bySize = models.toSorted((a, b) => a.parameters - b.parameters);
  for (const model of bySize) {
    const family = model.family ?? texts.model.others;
    found.set(family, [...(found.get(family) ?? []), model]);
  }
  return [...found];
}
