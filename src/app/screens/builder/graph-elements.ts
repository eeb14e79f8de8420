/** The model's graph as the library's nodes and edges: the rows of the list, and their inputs. */
import { MarkerType, type Edge, type Node } from '@xyflow/react';
import { IMAGE, placeOf } from '../../../base/layers/layer.ts';
import type { ModelFile } from '../../../worker/api.ts';
import { build as texts } from '../../messages/en/build.tsx';
import styles from './Graph.module.css';
import {
  edgeKey,
  isSkip,
  NODE,
  stagesOf,
  type GraphLayout,
  type GraphPoint,
  type Link,
} from './graph-layout.ts';
import type { TreeRow } from './tree.ts';
import type { KnownModel } from './use-known.ts';
import { shapeText } from './words.ts';

interface NodeData extends Record<string, unknown> {
  /** Of the row: the library shows its nodes for a moment after the model has changed. */
  model: ModelFile;
  row: TreeRow;
  invalid: boolean;
}
export type LayerNode = Node<NodeData, 'layer'>;
export type BoxNode = Node<{ row: TreeRow & { kind: 'block' } }, 'box'>;
export type StageNode = Node<{ title: string }, 'stage'>;
export type GraphNode = LayerNode | BoxNode | StageNode;
export type PathEdge = Edge<{ name: string; points: GraphPoint[] }, 'routed'>;

type Rows = readonly TreeRow[];

/** Stages, boxes of expanded blocks, and on top of them layers and collapsed blocks. @param selected the id of a row */
export function nodesOf(
  rows: Rows,
  layout: GraphLayout,
  model: ModelFile,
  known: KnownModel,
  selected: string,
): GraphNode[] {
  const sizeOf = ({ part }: TreeRow) => {
    const output = part.last < 0 ? model.input : known.layers.get(model.layers[part.last].name)?.output;
    return output?.length === 3 ? shapeText(output.slice(1)) : undefined;
  };
  const stages = stagesOf(rows, layout.places, sizeOf).map(
    ({ id, title, x, y, width, height }): StageNode => ({
      id,
      type: 'stage',
      data: { title },
      position: { x, y },
      width,
      height,
      zIndex: -2,
      selectable: false,
      focusable: false,
    }),
  );
  const others = rows.map((row): LayerNode | BoxNode => {
    const { id, part } = row;
    const box = layout.boxes.find((one) => one.id === id);
    if (row.kind === 'block' && box) {
      return {
        id,
        type: 'box',
        data: { row },
        position: { x: box.x, y: box.y },
        zIndex: -1,
        width: box.width,
        height: box.height,
        selected: id === selected,
        ariaLabel: texts.graph.expanded(row.block.name),
      };
    }
    const names = model.layers.slice(Math.max(part.first, 0), part.last + 1).map(({ name }) => name);
    const invalid = known.errors.some(({ name, incomplete }) => !incomplete && names.includes(name));
    return {
      id,
      type: 'layer',
      data: { model, row, invalid },
      position: layout.places.get(id) ?? { x: 0, y: 0 },
      ...NODE,
      selected: id === selected,
      ariaLabel: labelOf(row, invalid),
    };
  });
  return [...stages, ...others];
}

const labelOf = (row: TreeRow, invalid: boolean): string => {
  const name =
    row.kind === 'block'
      ? texts.graph.collapsed(row.block.name)
      : row.kind === 'image'
        ? texts.inspector.image
        : row.id;
  return invalid ? texts.graph.invalid(name) : name;
};

const idOf = ({ from, to, name }: Link): string => `${from}→${to} ${name}`;

/** The inputs of the rows; skip connections and those whose shapes do not match stand out. @param selected an edge's id */
export function edgesOf(
  links: readonly Link[],
  rows: Rows,
  { paths }: GraphLayout,
  model: ModelFile,
  known: KnownModel,
  selected: string | undefined,
): PathEdge[] {
  const isIn = (id: string, layer: string): boolean => {
    const at = placeOf(model.layers, layer);
    return rows.some((row) => row.id === id && at >= row.part.first && at <= row.part.last);
  };
  return links.map((link): PathEdge => {
    const { from, to, name } = link;
    const skip = isSkip(model.layers, rows, link);
    const output = name === IMAGE ? model.input : known.layers.get(name)?.output;
    const invalid = known.errors.some((error) => error.inputs?.includes(name) && isIn(to, error.name));
    return {
      id: idOf(link),
      source: from,
      target: to,
      type: 'routed',
      data: { name, points: paths.get(edgeKey(from, to)) ?? [] },
      selected: selected === idOf(link),
      // Each node has its output's shape.
      label: invalid || skip ? output && shapeText(output) : undefined,
      className: invalid ? styles.invalidEdge : skip ? styles.skip : undefined,
      ariaLabel: texts.graph[invalid ? 'mismatch' : 'connection'](from, to, shapeText(output)),
      markerEnd: { type: MarkerType.ArrowClosed },
    };
  });
}
