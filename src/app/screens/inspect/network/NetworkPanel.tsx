import { useEffect, useId, useMemo, useState, type ReactNode } from 'react';
import type { Look, LookLayer } from '../../../../worker/api.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Icon } from '../../../widgets/Icon.tsx';
import { useWidth } from '../../../components/maps/MapCanvas.tsx';
import { Panel } from '../../../widgets/Panel.tsx';
import * as format from '../../../format.ts';
import { useInspect } from '../../../inspect-store.ts';
import { padDataset } from '../../../pad/pad-dataset.ts';
import { useApp } from '../../../state/store.ts';
import { inspect as texts } from '../../../messages/inspect.ts';
import { useLook } from '../looking.ts';
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
  const hasRun = useApp((state) => state.runId > 0);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const [hovered, setHovered] = useState<ValuePosition>();
  const [box, across] = useWidth<HTMLDivElement>();
  const narrow = across > 0 && across < NARROW;

  const units = unitsOf(look.layers);
  const stages = stagesOf(units);
  const jumps = jumpsOf(units);
  const isOpen = (stage: UnitStage) => !stage.folds || unfolded.has(stage.units[0].name);
  const visible = stages.flatMap((stage) => (isOpen(stage) ? stage.units : stage.units.slice(-1)));
  const shownIn = (unit: LayerUnit) => unit.layers.find(({ name }) => name === choice.layer) ?? unit.shown;

  // Only what can be seen is read from the GPU.
  const wanted = visible.map((unit) => shownIn(unit).name).join('\n');
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
  const pick = ({ layer, k, p, q }: ValuePosition) => choose({ layer, channel: k, pixel: { p, q } });
  const foldable = stages.filter(({ folds }) => folds);
  const allOpen = foldable.every(isOpen);

  const columnOf = (unit: LayerUnit) => {
    const layer = shownIn(unit);
    const common = { layer, box: field.get(layer.name), onHover: setHovered, onPick: pick };
    return (
      <Column key={unit.name} unit={unit} layer={layer} chosen={choice.layer} onChoose={choose}>
        {layer.op === 'input' ? (
          <InputColumn look={look} box={common.box} onPick={pick} onHover={setHovered} />
        ) : (
          <Output
            look={look}
            {...common}
            across={narrow ? across - PADDING : undefined}
            isLast={layer === look.layers[look.layers.length - 1]}
          />
        )}
      </Column>
    );
  };

  return (
    <Panel
      title={texts.network.title}
      aside={
        <>
          <span className="soft numbers">
            {hasRun ? texts.network.step(look.step) : texts.network.shipped}
          </span>
          {foldable.length > 0 && (
            <Button
              onPress={() =>
                setUnfolded(new Set(allOpen ? [] : foldable.map(({ units: [first] }) => first.name)))
              }
            >
              {allOpen ? texts.network.fold : texts.network.unfold}
            </Button>
          )}
        </>
      }
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
          {!narrow && <Jumps jumps={jumps} of={stages.map((stage) => ({ stage, open: isOpen(stage) }))} />}
          {!narrow && <Reading field={field} />}
          {stages.map((stage) => (
            <StageView
              key={stage.units[0].name}
              stage={stage}
              open={isOpen(stage)}
              onToggle={() => {
                const next = new Set(unfolded);
                const { name } = stage.units[0];
                if (!next.delete(name)) next.add(name);
                setUnfolded(next);
              }}
            >
              {(isOpen(stage) ? stage.units : stage.units.slice(-1)).map(columnOf)}
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

interface OutputProps {
  look: Look;
  layer: LookLayer;
  box: ValueBox | undefined;
  across: number | undefined;
  isLast: boolean;
  onHover(place: ValuePosition | undefined): void;
  onPick(place: ValuePosition): void;
}

/** The maps of a layer; of the last one the classes, if they are few. */
function Output({ look, isLast, ...rest }: OutputProps) {
  const classes = useApp((state) => padDataset(state)?.classes);
  const { layer, onPick } = rest;
  if (isLast && classes?.length === look.probabilities.length && classes.length <= MOST_CLASSES) {
    return <Scores layer={layer} classes={classes} probabilities={look.probabilities} onPick={onPick} />;
  }
  return <Maps {...rest} values={look.overviews[layer.name]} />;
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
