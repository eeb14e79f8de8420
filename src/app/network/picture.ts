/** Where the parts of the picture of a network lie: columns from the image to the answer, as large as there is room for. */
import type { LookLayer } from '../../worker/api.ts';
import { wholeOf, type ValueBox } from '../../ops/reads.ts';
import type { ValuePosition } from './receptive.ts';
import { stagesOf, unitsOf, VECTOR, type LayerUnit } from './units.ts';

/** In CSS pixels. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

type ColumnKind = 'image' | 'maps' | 'values' | 'answer';

/** A layer in the picture. */
export interface PictureColumn extends Rect {
  kind: ColumnKind;
  /** For people: the name of the unit that it stands for. */
  name: string;
  /** Units between it and the column before that are not shown. */
  skipped: number;
  layer: LookLayer;
  /** Its first channels; of the answer, its classes. */
  tiles: readonly Rect[];
  /** Beside each map, the filter that makes it; empty where there is no room. */
  filters: readonly Rect[];
}

export interface NetworkPicture {
  width: number;
  height: number;
  columns: readonly PictureColumn[];
}

/** More columns than these are too narrow to read: then a stage is shown by its output. */
const MOST_COLUMNS = 9;
const MOST_MAPS = 16;
const MOST_CLASSES = 12;
/** CSS pixels around the columns; above them for their names and below for what is left out, where text has its usual size; between maps. */
const PADDING = 14;
const NAMES = 30;
const FOOT = 18;
const GAP = 5;
/** CSS pixels for the lines between two columns, at least. */
const LINKS = 28;
/** What they take more where layers are left out, for how many. */
const MORE = 26;
/** The width of a letter of a class name. */
const LETTER = 7;
/** CSS pixels of the largest map's side: the least that is readable, and what a picture has that is wider than its window. */
const LEAST = 18;
const SCROLLED = 34;

/** Only what every picture shows, so that the same layers are asked for at any size. */
export function drawnUnits(
  layers: readonly LookLayer[],
): Pick<PictureColumn, 'name' | 'layer' | 'skipped'>[] {
  // An image that is laid out as a vector is still the image.
  const units = unitsOf(layers).filter((unit) => unit.layers[0].op !== 'flatten');
  const shown = shownOf(units);
  return shown.map((unit, i) => ({
    name: unit.name,
    layer: drawn(unit),
    skipped: i === 0 ? 0 : units.indexOf(unit) - units.indexOf(shown[i - 1]) - 1,
  }));
}

/** Of a deep network: the first convolution, the end of each stage, and of layers without maps as many as fit, first and last. */
function shownOf(units: readonly LayerUnit[]): readonly LayerUnit[] {
  if (units.length <= MOST_COLUMNS) return units;
  const stages = stagesOf(units);
  const shown = new Set(stages.map((stage) => stage.units[stage.units.length - 1]));
  const first = units.find((unit) => unit.layers[0].op === 'conv');
  if (first) shown.add(first);
  const vectors = stages
    .flatMap((stage) => (stage.title === VECTOR ? stage.units : []))
    .filter((unit) => !shown.has(unit));
  const room = Math.max(0, Math.min(vectors.length, MOST_COLUMNS - shown.size));
  const atStart = Math.ceil(room / 2);
  for (const unit of [...vectors.slice(0, atStart), ...vectors.slice(vectors.length - (room - atStart))])
    shown.add(unit);
  return units.filter((unit) => shown.has(unit));
}

/** A convolution itself, before what cuts off its negative values: it is what its filters answer. */
const drawn = ({ layers: [first], shown }: LayerUnit): LookLayer => (first.op === 'conv' ? first : shown);

/**
 * @param layers the image first, in the order of the network
 * @param room CSS pixels, how much larger than usual text is, and how many letters the longest class name has. The picture is
 *   wider where its maps would be too small
 * @param classes how many the last layer has, if its values are those of classes
 */
export function pictureOf(
  layers: readonly LookLayer[],
  room: { width: number; height: number; text?: number; letters?: number },
  classes: number | undefined,
): NetworkPicture {
  const units = drawnUnits(layers);
  const { text = 1, letters = 1 } = room;
  const body = Math.max(60, room.height - (NAMES + FOOT) * text);
  const last = layers[layers.length - 1];
  const longest = Math.max(...units.slice(1).map(({ layer }) => sideOf(layer)), 1);
  const answers = last.shape.length === 1 && last.shape[0] === classes;
  const columnsAt = (side: number) =>
    units.map((unit, i) => {
      if (i === 0) return imageColumn(unit, body, side);
      if (answers && unit.layer === last) return answerColumn(unit, body, room.width, letters);
      return unit.layer.shape.length === 3 && sideOf(unit.layer) > 1
        ? mapsColumn(unit, body, side, longest)
        : valuesColumn(unit, body, side);
    });
  const moreAt = ({ skipped }: PictureColumn) => (skipped > 0 ? MORE * text : 0);
  const widthOf = (columns: readonly PictureColumn[]) =>
    columns.reduce(
      (sum, column) => sum + column.width + moreAt(column),
      2 * PADDING + LINKS * (columns.length - 1),
    );
  let side = Math.floor(body / 2);
  while (side > LEAST && widthOf(columnsAt(side)) > room.width) side--;
  let columns = columnsAt(side);
  if (widthOf(columns) > room.width) columns = columnsAt(SCROLLED);
  const spare = Math.max(0, room.width - widthOf(columns));
  const between = LINKS + (columns.length > 1 ? spare / (columns.length - 1) : 0);
  let x = PADDING;
  return {
    width: Math.max(room.width, widthOf(columns)),
    height: room.height,
    columns: columns.map((column) => {
      x += moreAt(column);
      const placed = movedTo(column, x, NAMES * text + (body - column.height) / 2);
      x += column.width + between;
      return placed;
    }),
  };
}

const sideOf = ({ shape: [, height = 1, width = 1] }: LookLayer): number => Math.max(height, width);

type Unit = ReturnType<typeof drawnUnits>[number];

function imageColumn({ layer, skipped }: Unit, body: number, side: number): PictureColumn {
  const longer = Math.max(56, Math.min(body * 0.62, 2.2 * side));
  const [width, height] = fitted(layer, longer);
  const tiles = [{ x: 0, y: 0, width, height }];
  return { kind: 'image', name: '', layer, skipped, tiles, filters: [], x: 0, y: 0, width, height };
}

function mapsColumn(
  { name, layer, skipped }: Unit,
  body: number,
  side: number,
  longest: number,
): PictureColumn {
  // Smaller maps are drawn smaller, but not by as much: they have as much to say.
  const [width, height] = fitted(layer, side * (0.7 + (0.3 * sideOf(layer)) / longest));
  const count = Math.min(layer.overviewChannels, MOST_MAPS);

  // Filters of the first convolution look like what they find; those of later ones have a slice for each map before.
  const filter =
    layer.op === 'conv' && layer.takes[0] === 'input' && side >= 26 ? Math.round(0.42 * side) : 0;
  const left = filter > 0 ? filter + GAP : 0;
  const grid = gridOf(count, body, left + width, height, GAP);
  const scaled = (rect: Rect): Rect => ({
    x: rect.x,
    y: rect.y,
    width: rect.width * grid.scale,
    height: rect.height * grid.scale,
  });
  const tiles = grid.cells.map(({ x, y }) => scaled({ x: x + left * grid.scale, y, width, height }));
  const middle = (grid.scale * (height - filter)) / 2;
  const filters =
    filter > 0
      ? grid.cells.map(({ x, y }) => scaled({ x, y: y + middle, width: filter, height: filter }))
      : [];
  return {
    kind: 'maps',
    name,
    layer,
    skipped,
    tiles,
    filters,
    x: 0,
    y: 0,
    width: grid.width,
    height: grid.height,
  };
}

function valuesColumn({ name, layer, skipped }: Unit, body: number, side: number): PictureColumn {
  const size = Math.max(6, Math.min(16, Math.round(0.24 * side)));
  const rows = Math.max(1, Math.floor((body + GAP) / (size + GAP)));
  const count = Math.min(layer.overviewChannels, 3 * rows, 60);
  const grid = gridOf(count, body, size, size, GAP);
  const tiles = grid.cells.map((cell) => ({ ...cell, width: size * grid.scale, height: size * grid.scale }));
  return {
    kind: 'values',
    name,
    layer,
    skipped,
    tiles,
    filters: [],
    x: 0,
    y: 0,
    width: grid.width,
    height: grid.height,
  };
}

/** @param letters of the longest class name, for which there is more room if it is long */
function answerColumn(
  { name, layer, skipped }: Unit,
  body: number,
  across: number,
  letters: number,
): PictureColumn {
  const count = Math.min(layer.shape[0], MOST_CLASSES);
  const usual = Math.max(112, Math.min(240, 0.16 * across));
  const width = usual + Math.min(0.12 * across, LETTER * Math.max(0, letters - 2));
  const step = Math.min(36, body / count);
  const tiles = Array.from({ length: count }, (_, k) => ({ x: 0, y: k * step, width, height: step }));
  return {
    kind: 'answer',
    name,
    layer,
    skipped,
    tiles,
    filters: [],
    x: 0,
    y: 0,
    width,
    height: step * count,
  };
}

/** Width and height whose longer one is given. */
function fitted({ shape: [, height = 1, width = 1] }: LookLayer, longer: number): [number, number] {
  const scale = longer / Math.max(width, height);
  return [Math.round(width * scale), Math.round(height * scale)];
}

/** How much smaller cells may become so that whole rows fit. */
const SHRUNK = 0.7;

/**
 * Cells in as few columns as fit below each other, filled row by row. Whole rows are preferred, also of somewhat smaller
 * cells: those of `scale`.
 */
function gridOf(count: number, body: number, width: number, height: number, gap: number) {
  const scaleFor = (columns: number) =>
    Math.min(1, ((body + gap) / Math.ceil(count / columns) - gap) / height);
  const all = Array.from({ length: count }, (_, i) => i + 1);
  const whole = all.find((columns) => count % columns === 0 && scaleFor(columns) >= SHRUNK) ?? count;
  const fewest = all.find((columns) => scaleFor(columns) === 1) ?? count;
  const columns = whole <= fewest + 1 ? whole : fewest;
  const scale = scaleFor(columns);
  const [across, down] = [width * scale, height * scale];
  const rows = Math.ceil(count / columns);
  return {
    scale,
    cells: Array.from({ length: count }, (_, i) => ({
      x: (i % columns) * (across + gap),
      y: Math.floor(i / columns) * (down + gap),
    })),
    width: columns * (across + gap) - gap,
    height: rows * (down + gap) - gap,
  };
}

function movedTo(column: PictureColumn, x: number, y: number): PictureColumn {
  const move = (rect: Rect): Rect => ({ ...rect, x: rect.x + x, y: rect.y + y });
  return { ...column, x, y, tiles: column.tiles.map(move), filters: column.filters.map(move) };
}

/** The value that is drawn at a place; of the image its first channel. */
export function valueAt({ columns }: NetworkPicture, x: number, y: number): ValuePosition | undefined {
  for (const { tiles, layer } of columns) {
    const k = tiles.findIndex((tile) => isIn(tile, x, y));
    if (k < 0) continue;
    const [, height = 1, width = 1] = layer.shape;
    const within = (share: number, count: number) => Math.min(count - 1, Math.floor(share * count));
    return {
      layer: layer.name,
      k,
      p: within((y - tiles[k].y) / tiles[k].height, height),
      q: within((x - tiles[k].x) / tiles[k].width, width),
    };
  }
  return undefined;
}

const isIn = (rect: Rect, x: number, y: number): boolean =>
  x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;

/** The parts of a column's tiles that a box of its values covers. */
export function covered({ kind, tiles, layer }: PictureColumn, box: ValueBox): Rect[] {
  const {
    rows: [, height],
    columns: [, width],
  } = wholeOf(layer.shape);
  const [from, end] = kind === 'image' ? [0, 1] : box.channels;
  return tiles
    .slice(from, end)
    .map((tile) => ({
      x: tile.x + (box.columns[0] / width) * tile.width,
      y: tile.y + (box.rows[0] / height) * tile.height,
      width: ((box.columns[1] - box.columns[0]) / width) * tile.width,
      height: ((box.rows[1] - box.rows[0]) / height) * tile.height,
    }));
}

/** The layers of a network that has not run yet, from its summary: enough to draw where its maps will be. */
export function layersToCome({
  inputShape,
  layers,
}: {
  inputShape: readonly number[];
  layers: readonly {
    name: string;
    op: string;
    title: string;
    outputShape: readonly number[];
    parameters: number;
  }[];
}): LookLayer[] {
  const layerOf = (
    name: string,
    op: string,
    title: string,
    shape: readonly number[],
    taken: string[],
  ): LookLayer => ({
    name,
    op,
    title,
    takes: taken,
    shape: [...shape],
    overviewChannels: shape[0],
    reads: { kind: 'all' },
    settings: [],
    parameters: 0,
  });
  let before = { name: 'input', shape: inputShape };
  const found = [layerOf('input', 'input', 'Image', inputShape, [])];
  for (const { name, op, title, outputShape, parameters } of layers) {
    const same = op === 'batch_norm' || (parameters === 0 && String(outputShape) === String(before.shape));
    const kind = op === 'flatten' ? 'flatten' : same ? 'same' : 'all';
    found.push({ ...layerOf(name, op, title, outputShape, [before.name]), reads: { kind } });
    before = { name, shape: outputShape };
  }
  return found;
}
