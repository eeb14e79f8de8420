/** The layout of the model's graph: visible rows are nodes, their inputs edges. */
import { graphlib, layout } from '@dagrejs/dagre';
import { IMAGE, placeOf, spellOut, type LayerData } from '../../../base/layers/layer.ts';
import type { TreeRow } from './tree.ts';

export interface GraphPoint {
  x: number;
  y: number;
}

export interface Link {
  /** Ids of rows. */
  from: string;
  to: string;
  /** The layer whose output it is. */
  name: string;
}

/** The box around the nodes of an expanded block. */
export interface BlockBox extends GraphPoint {
  id: string;
  width: number;
  height: number;
}

export interface GraphLayout {
  /** The top left corners of the nodes, by the ids of their rows. */
  places: ReadonlyMap<string, GraphPoint>;
  /** Of the expanded blocks. */
  boxes: readonly BlockBox[];
  /** The points of each edge's path, by its key. */
  paths: ReadonlyMap<string, GraphPoint[]>;
}

export const NODE = { width: 176, height: 112 };
const PADDING = 16;
const HEADING = 26;
/** Of a stage around boxes. */
const MARGIN_OF_STAGE = 12;

/** Edges between visible nodes. A collapsed block has the inputs and the output of its layers. */
export function linksOf(layers: readonly LayerData[], rows: readonly TreeRow[]): Link[] {
  const owner = new Map<string, string>([[IMAGE, IMAGE]]);
  for (const row of rows) {
    // An expanded block is a box; its rows follow.
    if (row.kind === 'image' || (row.kind === 'block' && row.open)) continue;
    for (let at = row.part.first; at <= row.part.last; at++) owner.set(layers[at].name, row.id);
  }
  const seen = new Set<string>();
  return spellOut(layers).flatMap(({ name, inputs }) =>
    inputs.flatMap((input) => {
      const [from, to] = [owner.get(input), owner.get(name)];
      const key = `${from} ${to} ${input}`;
      if (from === undefined || to === undefined || from === to || seen.has(key)) return [];
      seen.add(key);
      return [{ from, to, name: input }];
    }),
  );
}

/** The key of the path between two nodes. */
export const edgeKey = (from: string, to: string): string => `${from}→${to}`;

/** Where everything is, laid out from left to right. */
export function placesOf(rows: readonly TreeRow[], links: readonly Link[]): GraphLayout {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 40, ranksep: 34 });
  graph.setDefaultEdgeLabel(() => ({}));
  const nodes = rows.filter((row) => row.kind !== 'block' || !row.open);
  for (const { id } of nodes) graph.setNode(id, { ...NODE });
  for (const { from, to } of links) graph.setEdge(from, to);
  layout(graph);
  const places = new Map(
    nodes.map(({ id }) => {
      const { x, y } = graph.node(id) as GraphPoint;
      return [id, { x: x - NODE.width / 2, y: y - NODE.height / 2 }];
    }),
  );
  const boxes = rows.flatMap((row) => {
    if (row.kind !== 'block' || !row.open) return [];
    const inside = nodes.flatMap(({ id, part }) => {
      const place = part.first >= row.part.first && part.last <= row.part.last ? places.get(id) : undefined;
      return place ?? [];
    });
    return [{ id: row.id, ...around(inside, PADDING, HEADING) }];
  });
  const paths = new Map(
    links.map(({ from, to }) => [
      edgeKey(from, to),
      (graph.edge(from, to) as { points: GraphPoint[] }).points,
    ]),
  );
  return { places, boxes, paths };
}

/** The rectangle around nodes. @param top the room above them */
function around(nodes: readonly GraphPoint[], padding: number, top: number): Omit<BlockBox, 'id'> {
  const left = Math.min(...nodes.map(({ x }) => x)) - padding;
  const high = Math.min(...nodes.map(({ y }) => y)) - top;
  const right = Math.max(...nodes.map(({ x }) => x)) + NODE.width + padding;
  const bottom = Math.max(...nodes.map(({ y }) => y)) + NODE.height + padding;
  return { x: left, y: high, width: right - left, height: bottom - high };
}

/** Consecutive rows whose feature maps have one size. */
export interface GraphStage extends BlockBox {
  /** "32 × 32". */
  title: string;
}

/**
 * The stages of a network that has several: boxes around all nodes between two changes of the size of the feature maps.
 * @param sizeOf height and width of a row's output in words; undefined where it has no feature maps, or is not known
 */
export function stagesOf(
  rows: readonly TreeRow[],
  places: ReadonlyMap<string, GraphPoint>,
  sizeOf: (row: TreeRow) => string | undefined,
): GraphStage[] {
  const stages: { title: string; rows: TreeRow[] }[] = [];
  let before: string | undefined;
  for (const row of rows.filter(({ level }) => level === 1)) {
    const title = sizeOf(row);
    if (title !== undefined && title === before) stages[stages.length - 1].rows.push(row);
    else if (title !== undefined) stages.push({ title, rows: [row] });
    before = title;
  }
  if (stages.length < 2) return [];
  return stages.map(({ title, rows: own }): GraphStage => {
    const [{ part: first }] = own;
    const { part: last } = own[own.length - 1];
    const inside = rows.flatMap(
      ({ id, part }) => (part.first >= first.first && part.last <= last.last && places.get(id)) || [],
    );
    const box = around(inside, MARGIN_OF_STAGE, HEADING + 2 * MARGIN_OF_STAGE);
    return { id: `stage ${own[0].id}`, title, ...box };
  });
}

/** Whether an edge leads past other layers: a skip connection, or a branch. */
export const isSkip = (
  layers: readonly LayerData[],
  rows: readonly TreeRow[],
  { from, to, name }: Link,
): boolean => {
  const target = rows.find(({ id }) => id === to);
  const at = name === IMAGE ? -1 : placeOf(layers, name);
  return target !== undefined && from !== to && target.part.first > at + 1;
};

const MARGIN = 36;
const SMALLEST = 0.9;

/** The part of a graph to show in a frame: all of it while it is readable, else around the selected node. */
export function viewOf(
  { places, boxes }: Pick<GraphLayout, 'places' | 'boxes'>,
  selected: string,
  width: number,
  height: number,
): GraphPoint & { zoom: number } {
  const all = [...places.values()];
  const left = Math.min(...all.map(({ x }) => x)) - MARGIN;
  const top = Math.min(...all.map(({ y }) => y)) - MARGIN;
  const across = Math.max(...all.map(({ x }) => x)) + NODE.width + MARGIN - left;
  const down = Math.max(...all.map(({ y }) => y)) + NODE.height + MARGIN - top;
  const zoom = Math.min(1, Math.max(SMALLEST, Math.min(width / across, height / down)));
  const box = boxes.find(({ id }) => id === selected);
  const place = places.get(selected) ?? (box && { x: box.x, y: box.y + box.height / 2 - NODE.height / 2 });
  const y = (height - down * zoom) / 2 - top * zoom;
  if (across * zoom <= width) return { x: (width - across * zoom) / 2 - left * zoom, y, zoom };
  const middle = place ? place.x + NODE.width / 2 : left;
  // Neither left of the first node nor right of the last.
  const from = Math.min(Math.max(middle * zoom - width / 2, left * zoom), (left + across) * zoom - width);
  return {
    x: -from,
    y: down * zoom <= height || !place ? y : height / 2 - (place.y + NODE.height / 2) * zoom,
    zoom,
  };
}

/** A smooth SVG path from one place to another by the points between, and its middle. */
export function lineThrough(
  from: GraphPoint,
  between: readonly GraphPoint[],
  to: GraphPoint,
): { path: string; middle: GraphPoint } {
  const points = [from, ...between, to];
  const half = (a: GraphPoint, b: GraphPoint): GraphPoint => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const text = ({ x, y }: GraphPoint) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const curves = points
    .slice(1, -1)
    .map((point, i) => {
      const next = points[i + 2];
      return `Q ${text(point)} ${text(i === points.length - 3 ? to : half(point, next))}`;
    })
    .join(' ');
  const at = (points.length - 1) / 2;
  const middle = half(points[Math.floor(at)], points[Math.ceil(at)]);
  return { path: `M ${text(from)} ${curves || `L ${text(to)}`}`, middle };
}
