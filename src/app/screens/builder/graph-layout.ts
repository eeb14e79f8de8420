/** The layout of the model's graph: visible rows are nodes, their inputs edges. */
import { graphlib, layout } from '@dagrejs/dagre';
import { IMAGE, spellOut, type LayerData } from '../../../base/layers/layer.ts';
import type { Row } from './tree.ts';

export interface Place {
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
export interface Box extends Place {
  id: string;
  width: number;
  height: number;
}

export const NODE = { width: 268, height: 84 };
const PADDING = 18;
const HEADING = 26;

/** Edges between visible nodes. A collapsed block has the inputs and the output of its layers. */
export function linksOf(layers: readonly LayerData[], rows: readonly Row[]): Link[] {
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

/** The top left corners of the nodes, laid out from top to bottom; boxes of the expanded blocks; and the points of each edge's path. */
export function placesOf(
  rows: readonly Row[],
  links: readonly Link[],
): { places: Map<string, Place>; boxes: Box[]; paths: Map<string, Place[]> } {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 36, ranksep: 34 });
  graph.setDefaultEdgeLabel(() => ({}));
  const nodes = rows.filter((row) => row.kind !== 'block' || !row.open);
  for (const { id } of nodes) graph.setNode(id, { ...NODE });
  for (const { from, to } of links) graph.setEdge(from, to);
  layout(graph);
  const places = new Map(
    nodes.map(({ id }) => {
      const { x, y } = graph.node(id) as Place;
      return [id, { x: x - NODE.width / 2, y: y - NODE.height / 2 }];
    }),
  );
  const boxes = rows.flatMap((row) => {
    if (row.kind !== 'block' || !row.open) return [];
    const inside = nodes.flatMap(({ id, part }) => {
      const place = part.first >= row.part.first && part.last <= row.part.last ? places.get(id) : undefined;
      return place ?? [];
    });
    const left = Math.min(...inside.map(({ x }) => x)) - PADDING;
    const top = Math.min(...inside.map(({ y }) => y)) - HEADING;
    const right = Math.max(...inside.map(({ x }) => x)) + NODE.width + PADDING;
    const bottom = Math.max(...inside.map(({ y }) => y)) + NODE.height + PADDING;
    return [{ id: row.id, x: left, y: top, width: right - left, height: bottom - top }];
  });
  const paths = new Map(
    links.map(({ from, to }) => [edgeKey(from, to), (graph.edge(from, to) as { points: Place[] }).points]),
  );
  return { places, boxes, paths };
}

const MARGIN = 28;
const SMALLEST = 0.8;

/** The part of a graph to show in a frame: all of it while it is readable, else around the selected node. */
export function viewOf(
  places: ReadonlyMap<string, Place>,
  boxes: readonly Box[],
  selected: string,
  width: number,
  height: number,
): Place & { zoom: number } {
  const all = [...places.values()];
  const left = Math.min(...all.map(({ x }) => x)) - MARGIN;
  const top = Math.min(...all.map(({ y }) => y)) - MARGIN;
  const across = Math.max(...all.map(({ x }) => x)) + NODE.width + MARGIN - left;
  const down = Math.max(...all.map(({ y }) => y)) + NODE.height + MARGIN - top;
  const zoom = Math.min(1, Math.max(SMALLEST, Math.min(width / across, height / down)));
  const box = boxes.find(({ id }) => id === selected);
  const place = places.get(selected) ?? (box && { x: box.x + box.width / 2 - NODE.width / 2, y: box.y });
  const x = (width - across * zoom) / 2 - left * zoom;
  if (down * zoom <= height) return { x, y: (height - down * zoom) / 2 - top * zoom, zoom };
  const middle = place ? place.y + NODE.height / 2 : top;
  // Neither above the first node nor below the last.
  const from = Math.min(Math.max(middle * zoom - height / 2, top * zoom), (top + down) * zoom - height);
  return {
    x: across * zoom <= width || !place ? x : width / 2 - (place.x + NODE.width / 2) * zoom,
    y: -from,
    zoom,
  };
}

/** A smooth SVG path from one place to another by the points between, and its middle. */
export function lineThrough(
  from: Place,
  between: readonly Place[],
  to: Place,
): { path: string; middle: Place } {
  const points = [from, ...between, to];
  const half = (a: Place, b: Place): Place => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const text = ({ x, y }: Place) => `${x.toFixed(1)} ${y.toFixed(1)}`;
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
