import { useEffect, useId, useState, type ReactNode } from 'react';
import type { Look, LookLayer } from '../../../../worker/api.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Icon } from '../../../widgets/Icon.tsx';
import { useWidth } from '../../../components/maps/MapCanvas.tsx';
import { digits } from '../../../components/maps/numbers.ts';
import { Panel } from '../../../widgets/Panel.tsx';
import * as format from '../../../format.ts';
import { useInspect } from '../../../inspect-store.ts';
import { padDataset } from '../../../pad/pad-dataset.ts';
import { useApp } from '../../../state/store.ts';
import { inspect as texts } from '../../../messages/inspect.ts';
import { useLook } from '../looking.ts';
import { Maps, Scores, type ValuePosition } from './Column.tsx';
import { InputColumn } from './InputColumn.tsx';
import { Jumps } from './Jumps.tsx';
import { Minimap } from './Minimap.tsx';
import styles from './Network.module.css';
import { receptiveField, type ValueBox } from './receptive.ts';
import { jumpsOf, stagesOf, unitsOf, type UnitStage, type LayerUnit } from './units.ts';

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

  const chosen = choice.pixel && { layer: choice.layer, k: choice.channel, ...choice.pixel };
  const marked = hovered ?? chosen;
  const field = marked
    ? receptiveField(look.layers, marked.layer, boxOf(marked))
    : new Map<string, ValueBox>();
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
      <FieldText look={look} place={marked} field={field} />
    </Panel>
  );
}

const boxOf = ({ k, p, q }: ValuePosition): ValueBox => ({
  channels: [k, k + 1],
  rows: [p, p + 1],
  columns: [q, q + 1],
});

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

interface FieldTextProps {
  look: Look;
  place: ValuePosition | undefined;
  field: ReadonlyMap<string, ValueBox>;
}

/** What is marked, in words. */
function FieldText({ look, place, field }: FieldTextProps) {
  const layer = look.layers.find(({ name }) => name === place?.layer);
  if (!place || !layer || layer.op === 'input')
    return <p className={`faint ${styles.words}`}>{texts.network.noValue}</p>;
  const [, height = 1, width = 1] = layer.shape;
  const { k, p, q } = place;
  const whole = look.overviews[layer.name];
  const value = whole?.[(k * height + p) * width + q];
  const input = field.get(look.layers[0].name);
  return (
    <p className={`soft ${styles.words}`}>
      <code>
        {layer.name}[{height * width > 1 ? `${k}, ${p}, ${q}` : k}]
      </code>
      {value !== undefined && <span className="numbers"> = {digits(value, 4)}</span>}
      {layer.takes.map((name) => {
        const read = field.get(name);
        return read && name !== look.layers[0].name ? texts.network.reads(sizeText(read), name) : '';
      })}
      {input && texts.network.sees(sizeText(input, false), spanText(input.rows), spanText(input.columns))}.
    </p>
  );
}

const lengthOf = ([from, end]: readonly [number, number]): number => end - from;
const spanText = ([from, end]: readonly [number, number]): string =>
  end - from === 1 ? String(from) : texts.network.span(from, end - 1);

/** "6 × 5 × 5", or without channels "5 × 5". */
function sizeText({ channels, rows, columns }: ValueBox, deep = true): string {
  const plane = [lengthOf(rows), lengthOf(columns)];
  if (!deep) return format.shape(plane);
  return lengthOf(rows) * lengthOf(columns) === 1 && lengthOf(channels) > 1
    ? texts.network.values(lengthOf(channels))
    : format.shape([lengthOf(channels), ...plane]);
}
