import { useEffect, useId, useMemo, useState, type ReactNode } from 'react';
import type { Look, LookLayer } from '../../../../worker/api.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Icon } from '../../../widgets/Icon.tsx';
import { useWidth } from '../../../components/maps/MapCanvas.tsx';
import { Panel } from '../../../widgets/Panel.tsx';
import * as format from '../../../format.ts';
import { useInspect } from '../../../state/inspect-store.ts';
import { padDataset } from '../../../pad/pad-dataset.ts';
import { useApp } from '../../../state/store.ts';
import { inspect as texts } from '../../../messages/inspect.ts';
import { useLook } from '../activations.ts';
import { FieldText } from '../../../network/FieldText.tsx';
import { boxOf, type ValueBox } from '../../../../ops/reads.ts';
import { receptiveField, type ValuePosition } from '../../../network/receptive.ts';
import { jumpsOf, stagesOf, unitsOf, type UnitStage, type LayerUnit } from '../../../network/units.ts';
import { Maps, Scores } from './Column.tsx';
import { InputColumn } from './InputColumn.tsx';
import { Jumps } from './Jumps.tsx';
import { Minimap } from './Minimap.tsx';
import { Reading } from './Reading.tsx';
import styles from './Network.module.css';

/** CSS pixels: below this width, layers lie below each other; and what surrounds their maps. */
const NARROW = 640;
const PADDING = 44;
/** More classes than these are shown as a vector. */
const MOST_CLASSES = 16;

/** The network from left to right, or on a phone from top to bottom: a column of maps per layer. */
export function NetworkPanel({ look }: { look: Look }) {
  const choice = useInspect((state) => state.lookChoice);
  const choose = useInspect((state) => state.setLookChoice);
  const [hovered, setHovered] = useState<ValuePosition>();
  const [box, across] = useWidth<HTMLDivElement>();
  const narrow = across > 0 && across < NARROW;

  const units = unitsOf(look.layers);
  const folding = useFolding(stagesOf(units));
  const { stages, unitsIn } = folding;
  const jumps = jumpsOf(units);
  const shownIn = (unit: LayerUnit) => unit.layers.find(({ name }) => name === choice.layer) ?? unit.shown;

  // Only what can be seen is read from the GPU.
  const wanted = stages
    .flatMap((stage) => unitsIn(stage))
    .map((unit) => shownIn(unit).name)
    .join('\n');
  useEffect(() => {
    useLook.setState({ maps: wanted.split('\n') });
  }, [wanted]);

  const chosen = useMemo(
    () => choice.pixel && { layer: choice.layer, k: choice.channel, ...choice.pixel },
    [choice],
  );
  const marked = hovered ?? chosen;
  const field = useMemo(
    () => (marked ? receptiveField(look.layers, marked.layer, boxOf(marked)) : new Map<string, ValueBox>()),
    [look, marked],
  );
  const values = {
    look,
    field,
    across: narrow ? across - PADDING : undefined,
    onHover: setHovered,
    onPick: ({ layer, k, p, q }: ValuePosition) => choose({ layer, channel: k, pixel: { p, q } }),
  };
  return (
    <Panel
      title={texts.network.title}
      aside={<NetworkTools step={look.step} {...folding} />}
      explanation={texts.network.explanation}
    >
      <Minimap chosen={units.find(({ layers }) => layers.some(({ name }) => name === choice.layer))?.name} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <div ref={box} className={styles.scroll} tabIndex={0} role="region" aria-label={texts.network.layers}>
        <div
          className={styles.track}
          data-narrow={narrow || undefined}
          data-jumps={jumps.length > 0 || undefined}
        >
          {!narrow && (
            <Jumps jumps={jumps} of={stages.map((stage) => ({ stage, open: folding.isOpen(stage) }))} />
          )}
          {!narrow && <Reading field={field} />}
          {stages.map((stage) => (
            <StageView
              key={stage.units[0].name}
              stage={stage}
              open={folding.isOpen(stage)}
              onToggle={() => folding.toggle(stage)}
            >
              {unitsIn(stage).map((unit) => (
                <Column
                  key={unit.name}
                  unit={unit}
                  layer={shownIn(unit)}
                  chosen={choice.layer}
                  onChoose={choose}
                >
                  <Output {...values} layer={shownIn(unit)} />
                </Column>
              ))}
            </StageView>
          ))}
        </div>
      </div>
      <p className={`soft ${styles.words}`}>
        <FieldText look={look} place={marked} field={field} />
      </p>
    </Panel>
  );
}

/** Which stages are open. Those that fold are closed at first and show their last unit only. */
function useFolding(stages: readonly UnitStage[]) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const nameOf = ({ units: [first] }: UnitStage): string => first.name;
  const isOpen = (stage: UnitStage): boolean => !stage.folds || unfolded.has(nameOf(stage));
  const foldable = stages.filter(({ folds }) => folds);
  const allOpen = foldable.every(isOpen);
  return {
    stages,
    isOpen,
    unitsIn: (stage: UnitStage) => (isOpen(stage) ? stage.units : stage.units.slice(-1)),
    toggle(stage: UnitStage) {
      const next = new Set(unfolded);
      if (!next.delete(nameOf(stage))) next.add(nameOf(stage));
      setUnfolded(next);
    },
    foldable,
    allOpen,
    toggleAll: () => setUnfolded(new Set(allOpen ? [] : foldable.map(nameOf))),
  };
}

interface ToolsProps extends Pick<ReturnType<typeof useFolding>, 'foldable' | 'allOpen' | 'toggleAll'> {
  step: number;
}

/** Whose activations these are, and the button that opens and closes all stages. */
function NetworkTools({ step, foldable, allOpen, toggleAll }: ToolsProps) {
  const hasRun = useApp((state) => state.runId > 0);
  return (
    <>
      <span className="soft numbers">{hasRun ? texts.network.step(step) : texts.network.shipped}</span>
      {foldable.length > 0 && (
        <Button onPress={toggleAll}>{allOpen ? texts.network.fold : texts.network.unfold}</Button>
      )}
    </>
  );
}

interface OutputProps {
  look: Look;
  layer: LookLayer;
  /** What is marked in each layer. */
  field: ReadonlyMap<string, ValueBox>;
  across: number | undefined;
  onHover(place: ValuePosition | undefined): void;
  onPick(place: ValuePosition): void;
}

/** The maps of a layer, or the input; of the last one the classes, if they are few. */
function Output({ look, layer, field, across, onHover, onPick }: OutputProps) {
  const classes = useApp((state) => padDataset(state)?.classes);
  const common = { layer, box: field.get(layer.name), onHover, onPick };
  if (layer.op === 'input') return <InputColumn look={look} {...common} />;
  const isLast = layer === look.layers.at(-1);
  if (isLast && classes?.length === look.probabilities.length && classes.length <= MOST_CLASSES)
    return <Scores layer={layer} classes={classes} probabilities={look.probabilities} onPick={onPick} />;
  return <Maps {...common} across={across} values={look.overviews[layer.name]} />;
}

interface ColumnProps {
  unit: LayerUnit;
  /** The one of its layers that is shown. */
  layer: LookLayer;
  /** The name of the layer that is selected. */
  chosen: string;
  onChoose(choice: { layer: string; channel: number; pixel: undefined }): void;
  children: ReactNode;
}

function Column({ unit, layer, chosen, onChoose, children }: ColumnProps) {
  return (
    <div
      role="group"
      className={styles.column}
      data-unit={unit.name}
      data-chosen={layer.name === chosen || undefined}
      aria-label={layer.name}
    >
      <div className={styles.names}>
        {unit.layers.map(({ name, title, op }) => (
          <label key={name} title={title} data-shown={name === layer.name || undefined}>
            <input
              type="radio"
              name="look-layer"
              checked={name === chosen}
              onChange={() => onChoose({ layer: name, channel: 0, pixel: undefined })}
            />
            {op === 'input' ? texts.network.input : name}
          </label>
        ))}
      </div>
      <p className={styles.about}>
        {layer.op !== 'input' && <span>{layer.title}</span>}
        <span className="numbers">{format.shape(layer.shape)}</span>
      </p>
      {children}
    </div>
  );
}

interface StageProps {
  stage: UnitStage;
  open: boolean;
  onToggle(): void;
  children: ReactNode;
}

/** A stage that folds has a button above its columns. */
function StageView({ stage, open, onToggle, children }: StageProps) {
  const id = useId();
  if (!stage.folds) return <div className={styles.stage}>{children}</div>;
  return (
    <div className={styles.stage} data-folds data-open={open || undefined} id={id}>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={open}
        aria-controls={id}
        onClick={onToggle}
      >
        <Icon name="chevron" />
        {stage.title}, {texts.network.columns(open ? stage.units.length : 1, stage.units.length)}
      </button>
      {children}
    </div>
  );
}
