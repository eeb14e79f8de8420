/** How a network's layers are shown: in columns, and deep networks in stages that fold. */
import type { LookLayer } from '../../worker/api.ts';

/** A layer that computes something new, with the layers that only reshape its output: a column. */
export interface LayerUnit {
  /** The name of its first layer. */
  name: string;
  layers: LookLayer[];
  /** The layer whose maps are shown, unless another one is selected: the last that has not become a vector. */
  shown: LookLayer;
}

/** Units in a row with maps of one size. */
export interface UnitStage {
  /** For people: "56 × 56", "vector". */
  title: string;
  units: LayerUnit[];
  /** Whether it is worth folding. */
  folds: boolean;
}

/** Layers that change their input value by value, or not at all. */
const follows = ({ reads, takes }: LookLayer) =>
  (reads.kind === 'same' || reads.kind === 'flatten') && takes.length === 1;

/** Networks with up to so many columns are shown unfolded. */
const FIT = 12;

/** @param layers in the order of the network, the image first */
export function unitsOf(layers: readonly LookLayer[]): LayerUnit[] {
  const units: LayerUnit[] = [];
  const takers = new Map<string, number>();
  for (const { takes } of layers) for (const name of takes) takers.set(name, (takers.get(name) ?? 0) + 1);
  for (const layer of layers) {
    const unit = units.at(-1);
    const before = unit?.layers.at(-1);
    const joins =
      follows(layer) &&
      before !== undefined &&
      before.op !== 'input' &&
      layer.takes[0] === before.name &&
      takers.get(before.name) === 1;
    if (!unit || !joins) {
      units.push({ name: layer.name, layers: [layer], shown: layer });
      continue;
    }
    unit.layers.push(layer);
    if (layer.op !== 'flatten') unit.shown = layer;
  }
  return units;
}

/** Consecutive units with maps of one size. */
export function stagesOf(units: readonly LayerUnit[]): UnitStage[] {
  const stages: UnitStage[] = [];
  for (const unit of units) {
    const title = sizeOf(unit.shown);
    const stage = stages.at(-1);
    // The image stays on its own: it is the beginning of everything.
    if (stage?.title === title && stage.units[0].shown.op !== 'input') stage.units.push(unit);
    else stages.push({ title, units: [unit], folds: false });
  }
  const long = units.length > FIT;
  for (const stage of stages) stage.folds = long && stage.units.length > 2 && stage.title !== VECTOR;
  return stages;
}

/** The title of a stage of layers without maps. */
export const VECTOR = 'vector';

const sizeOf = ({ shape }: LookLayer): string => (shape.length < 3 ? VECTOR : `${shape[1]} × ${shape[2]}`);

/** The layers that enter a unit from elsewhere than the unit before it: skip connections and branches. */
export function jumpsOf(units: readonly LayerUnit[]): { from: string; to: string }[] {
  const owner = new Map(units.flatMap((unit) => unit.layers.map(({ name }) => [name, unit.name] as const)));
  const jumps = units.flatMap((unit, i) => {
    const sources = new Set(unit.layers.flatMap(({ takes }) => takes.map((name) => owner.get(name))));
    return [...sources].flatMap((from) =>
      from !== undefined && from !== unit.name && from !== units[i - 1]?.name ? { from, to: unit.name } : [],
    );
  });
  return jumps;
}
