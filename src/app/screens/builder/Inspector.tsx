import type { ReactNode, RefObject } from 'react';
import { inLayers } from '../../messages/layers.ts';
import { IMAGE, spellOut } from '../../../base/layers/layer.ts';
import type { LayerDescription, LayerKind } from '../../../worker/api.ts';
import { Button } from '../../widgets/Button.tsx';
import { Facts } from '../../widgets/Facts.tsx';
import { Control } from '../../widgets/Labelled.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { Select } from '../../widgets/Select.tsx';
import { variantName } from '../../components/variant-name.ts';
import * as format from '../../format.ts';
import { hrefOf } from '../../route.ts';
import { textOf } from '../../share/conv-sizes.ts';
import { useApp } from '../../state/store.ts';
import { build as texts } from '../../messages/en/build.tsx';
import { AttributeField, NameField } from './AttributeField.tsx';
import styles from './Build.module.css';
import { currentRows, edit, focusRow, setLayerInputs, toggle, useBuild } from './build-store.ts';
import { costsOf, useAlgorithms, useBatchSize, useKind, useKnown, useModel, useTimes } from './use-known.ts';
import { amount, shapeText, titleOf } from './words.ts';

/** The attributes of the selected layer, and its shapes and costs. */
export function Inspector({ panel }: { panel: RefObject<HTMLDivElement | null> }) {
  // `currentRows` depends on these.
  useBuild((state) => state.selected);
  useBuild((state) => state.open);
  const model = useModel();
  const { row } = currentRows();
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape returns to the list from every field in it
    <div
      ref={panel}
      onKeyDown={(event) => {
        if (event.key === 'Escape') focusRow();
      }}
    >
      {row.kind === 'image' && (
        <Panel
          title={texts.inspector.image}
          explanation={texts.inspector.imageExplanation}
          className={styles.side}
        >
          <ImagesField />
        </Panel>
      )}
      {row.kind === 'layer' && <LayerInspector key={row.at} at={row.at} />}
      {row.kind === 'block' && (
        <Panel
          className={styles.side}
          title={titleOf(row, model.layers)}
          explanation={
            model.layers[row.block.join].op === 'add'
              ? texts.inspector.residualExplanation
              : texts.inspector.parallelExplanation
          }
        >
          <div className="row">
            <Button icon="chevron" onPress={() => toggle(row.id)}>
              {row.open ? texts.inspector.collapse : texts.inspector.expand}
            </Button>
          </div>
          <LayerFacts first={row.part.first} last={row.part.last} />
        </Panel>
      )}
    </div>
  );
}

const keyOf = (input: readonly number[], classes: number): string => `${input.join()} ${classes}`;

const LIST = new Intl.ListFormat('en-GB');

/** Selects the input shape and the number of classes among those of the data sets. */
function ImagesField() {
  const model = useModel();
  const datasets = useApp((state) => state.datasets);
  const kinds = new Map<string, typeof datasets>();
  for (const dataset of datasets) {
    // The user's images before any are imported.
    if (dataset.classes.length === 0) continue;
    const key = keyOf(dataset.shape, dataset.classes.length);
    kinds.set(key, [...(kinds.get(key) ?? []), dataset]);
  }
  const current = keyOf(model.input, model.classes);
  const known = kinds.get(current);
  return (
    <Select
      look="block"
      label={texts.inspector.dataset}
      hint={
        known
          ? texts.inspector.match(LIST.format(known.map(({ title }) => title)), known.length)
          : texts.inspector.noMatch(model.classes)
      }
      value={current}
      options={[
        !known && { value: current, title: format.shape(model.input) },
        ...[...kinds].map(([key, [{ shape, classes }]]) => ({
          value: key,
          title: texts.inspector.imagesOf(format.shape(shape), classes.length),
        })),
      ]}
      onChange={(value) => {
        const [chosen] = kinds.get(value) ?? [];
        if (!chosen) return;
        const next = { ...model, input: chosen.shape, classes: chosen.classes.length };
        edit(next, { say: texts.inspector.inputSet(format.shape(chosen.shape)) });
      }}
    />
  );
}

function LayerInspector({ at }: { at: number }) {
  const layer = useModel().layers[at];
  const kind = useKind(layer.op);
  const known = useKnown();
  const error = known.errors.find(({ name, attribute }) => name === layer.name && attribute !== undefined);
  return (
    <Panel
      title={kind?.title ?? layer.op}
      explanation={kind && inLayers(kind.everyday, kind.explanation, 'layer')}
      className={styles.side}
    >
      <div className="stack">
        {kind?.attributes.map((attribute) => (
          <AttributeField
            key={attribute.name}
            at={at}
            kind={attribute}
            error={error?.attribute === attribute.name ? error.message : undefined}
          />
        ))}
        <Inputs at={at} kind={kind} />
        <NameField at={at} />
      </div>
      <LayerFacts first={at} last={at} layer={known.layers.get(layer.name)} />
    </Panel>
  );
}

/** A layer's inputs: one, or several for a join. */
function Inputs({ at, kind }: { at: number; kind: LayerKind | undefined }) {
  const { layers } = useModel();
  const { inputs } = spellOut(layers)[at];
  const before = layers.slice(0, at).map(({ name }) => name);
  const set = (k: number, name: string) =>
    setLayerInputs(
      at,
      inputs.map((one, i) => (i === k ? name : one)),
    );
  const free = [IMAGE, ...before].findLast((name) => !inputs.includes(name));
  return (
    <fieldset className={styles.inputs}>
      <legend>{texts.inspector.inputs}</legend>
      {inputs.map((name, k) => (
        <Control key={k /* oxlint-disable-line react/no-array-index-key -- an input is its place */}>
          <Select
            look="hidden"
            label={inputs.length > 1 ? texts.inspector.inputAt(k + 1) : texts.inspector.input}
            value={name}
            options={[
              !before.includes(name) &&
                name !== IMAGE && { value: name, title: texts.inspector.missing(name) },
              ...before.toReversed().map((one) => ({ value: one, title: one })),
              { value: IMAGE, title: texts.inspector.theImage },
            ]}
            onChange={(to) => set(k, to)}
          />
          {inputs.length > 1 && (
            <Button
              icon="close"
              kind="quiet"
              onPress={() =>
                setLayerInputs(
                  at,
                  inputs.filter((_, i) => i !== k),
                )
              }
            >
              <span className="unseen">{texts.inspector.removeInput(name)}</span>
            </Button>
          )}
        </Control>
      ))}
      {kind?.joins && (
        <Button
          icon="plus"
          obstacle={free === undefined ? texts.inspector.allTaken : undefined}
          onPress={() => free !== undefined && setLayerInputs(at, [...inputs, free])}
        >
          {texts.inspector.addInput}
        </Button>
      )}
    </fieldset>
  );
}

interface LayerFactsProps {
  first: number;
  last: number;
  layer?: LayerDescription | undefined;
}

/** Shapes, costs and times of a layer or a block. */
function LayerFacts({ first, last, layer }: LayerFactsProps) {
  const model = useModel();
  const known = useKnown();
  const batch = useBatchSize();
  const times = useTimes();
  const algorithms = useAlgorithms();
  const costs = costsOf(model, known, { first, last });
  const output = known.layers.get(model.layers[last].name)?.output;
  const inputs = known.layers.get(model.layers[first].name)?.inputs;
  const time = times?.ofPart({ first, last });
  const chosen = first === last ? algorithms?.[model.layers[first].name] : undefined;
  const facts: [string, ReactNode][] = [
    [texts.inspector.input, inputs?.map(shapeText).join(texts.inspector.and) ?? '–'],
    [texts.inspector.output, shapeText(output)],
    [
      texts.inspector.parameters,
      <>
        {output ? format.count(costs.parameters) : '–'}
        {layer?.parameters.map(({ name, shape }) => (
          <small key={name}>
            {name} {shape.join(' × ')}
          </small>
        ))}
      </>,
    ],
    [
      texts.list.macs,
      costs.multiplyAdds > 0 ? texts.inspector.perImage(amount(costs.multiplyAdds)) : amount(0),
    ],
    [
      texts.inspector.memory,
      costs.activationBytes > 0
        ? texts.inspector.memoryOf(format.memory(batch * costs.activationBytes), batch)
        : '–',
    ],
  ];
  if (time)
    facts.push(
      [texts.inspector.forward, format.time(time.forward)],
      [texts.inspector.backward, format.time(time.backward)],
    );
  for (const [direction, use] of Object.entries(chosen ?? {})) {
    facts.push([direction, `${use.algorithm}, ${variantName(use.launch)}`]);
  }
  return (
    <>
      <div className={styles.facts}>
        <Facts of={facts} />
      </div>
      {layer?.problem && (
        <p className={styles.link}>
          <a href={hrefOf('lab', 'race', textOf({ ...layer.problem, N: batch }))}>
            {texts.inspector.benchmark}
          </a>
        </p>
      )}
    </>
  );
}
