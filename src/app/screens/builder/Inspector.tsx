import type { ReactNode, RefObject } from 'react';
import { IMAGE, spellOut } from '../../../base/layers/layer.ts';
import type { LayerDescription, LayerKind } from '../../../worker/api.ts';
import { Button } from '../../components/Button.tsx';
import { Control } from '../../components/Labelled.tsx';
import { Panel } from '../../components/Panel.tsx';
import * as format from '../../format.ts';
import { hrefOf } from '../../route.ts';
import { textOf } from '../../share/conv-sizes.ts';
import { AttributeField, NameField } from './AttributeField.tsx';
import { currentRows, focusRow, setLayerInputs, toggle, useBuild } from './build-store.ts';
import { ImagesField } from './ImagesField.tsx';
import styles from './Inspector.module.css';
import { costsOf, useBatchSize, useKind, useKnown, useModel } from './use-known.ts';
import { useAlgorithms, useTimes } from './use-times.ts';
import { amount, shapeText } from './words.ts';

/** What can be set of the selected layer, and what is known of it. */
export function Inspector({ panel }: { panel: RefObject<HTMLDivElement | null> }) {
  // Both, because the row is found by them.
  useBuild((state) => state.selected);
  useBuild((state) => state.open);
  const model = useModel();
  const { row } = currentRows();
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leads back from every field in it
    <div
      ref={panel}
      onKeyDown={(event) => {
        if (event.key === 'Escape') focusRow();
      }}
    >
      {row.kind === 'image' && <ImageInspector />}
      {row.kind === 'layer' && <LayerInspector key={row.at} at={row.at} />}
      {row.kind === 'block' && (
        <Panel
          title={model.layers[row.block.join].op === 'add' ? 'Residual block' : 'Parallel ways'}
          explanation={
            model.layers[row.block.join].op === 'add'
              ? 'What comes in is added to what its layers make of it.'
              : 'Ways beside each other, whose channels are put one after the other.'
          }
        >
          <div className={styles.fields}>
            <Button icon="chevron" onPress={() => toggle(row.id)}>
              {row.open ? 'Close the block' : 'Open the block'}
            </Button>
          </div>
          <Facts first={row.part.first} last={row.part.last} />
        </Panel>
      )}
    </div>
  );
}

function ImageInspector() {
  return (
    <Panel title="Image" explanation="What the network gets. Choose the data that it is for.">
      <div className={styles.fields}>
        <ImagesField />
      </div>
    </Panel>
  );
}

function LayerInspector({ at }: { at: number }) {
  const layer = useModel().layers[at];
  const kind = useKind(layer.op);
  const known = useKnown();
  const mistake = known.mistakes.find(
    ({ name, attribute }) => name === layer.name && attribute !== undefined,
  );
  return (
    <Panel title={kind?.title ?? layer.op} explanation={kind?.explanation}>
      <div className={styles.fields}>
        {kind?.attributes.map((attribute) => (
          <AttributeField
            key={attribute.name}
            at={at}
            kind={attribute}
            error={mistake?.attribute === attribute.name ? mistake.message : undefined}
          />
        ))}
        <Inputs at={at} kind={kind} />
        <NameField at={at} />
      </div>
      <Facts first={at} last={at} layer={known.layers.get(layer.name)} />
    </Panel>
  );
}

/** What a layer takes: one, or several for those that join. */
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
      <legend>Takes</legend>
      {inputs.map((name, k) => (
        <Control key={k /* oxlint-disable-line react/no-array-index-key -- an input is its place */}>
          <select
            aria-label={inputs.length > 1 ? `Input ${k + 1}` : 'Input'}
            value={name}
            onChange={(event) => set(k, event.target.value)}
          >
            {!before.includes(name) && name !== IMAGE && <option value={name}>{name} (not there)</option>}
            {before.toReversed().map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
            <option value={IMAGE}>the image</option>
          </select>
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
              <span className="unseen">Do not take {name}</span>
            </Button>
          )}
        </Control>
      ))}
      {kind?.joins && (
        <Button
          icon="plus"
          obstacle={free === undefined ? 'It takes everything before it already.' : undefined}
          onPress={() => free !== undefined && setLayerInputs(at, [...inputs, free])}
        >
          Another input
        </Button>
      )}
    </fieldset>
  );
}

interface FactsProps {
  first: number;
  last: number;
  layer?: LayerDescription | undefined;
}

/** Numbers of a layer or a block. */
function Facts({ first, last, layer }: FactsProps) {
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
    ['Input', inputs?.map(shapeText).join(' and ') ?? '–'],
    ['Output', shapeText(output)],
    [
      'Parameters',
      <>
        {format.count(costs.parameters)}
        {layer?.parameters.map(({ name, shape }) => (
          <small key={name}>
            {name} {shape.join(' × ')}
          </small>
        ))}
      </>,
    ],
    ['Multiply-adds', `${amount(costs.multiplyAdds)}${costs.multiplyAdds > 0 ? ' an image' : ''}`],
    [
      'Memory',
      costs.activationBytes > 0
        ? `${format.memory(batch * costs.activationBytes)}, batch ${batch}`
        : 'none of its own',
    ],
  ];
  if (time) facts.push(['Forward', format.time(time.forward)], ['Backward', format.time(time.backward)]);
  for (const [direction, use] of Object.entries(chosen ?? {})) {
    facts.push([direction, `${use.algorithm}, ${use.launch}`]);
  }
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {layer?.problem && (
        <p className={styles.link}>
          <a href={hrefOf('lab', 'race', textOf({ ...layer.problem, N: batch }))}>
            Race its algorithms in the Lab
          </a>
        </p>
      )}
    </>
  );
}
