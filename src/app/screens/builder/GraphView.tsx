import {
  Background,
  BaseEdge,
  Controls,
  Handle,
  MarkerType,
  MiniMap,
  Position,
  ReactFlow,
  type Edge,
  type EdgeProps,
  type Node,
  type NodeProps,
  type ReactFlowInstance,
} from '@xyflow/react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
// oxlint-disable-next-line import/no-unassigned-import -- the library's own styles
import '@xyflow/react/dist/base.css';
import { IMAGE, placeOf, spellOut } from '../../../base/layers/layer.ts';
import type { ModelFile } from '../../../worker/api.ts';
import { Icon } from '../../widgets/Icon.tsx';
import * as format from '../../format.ts';
import { build as texts } from '../../messages/en/build.tsx';
import { edit, removeSelected, select, setLayerInputs, toggle, useBuild } from './build-store.ts';
import styles from './Graph.module.css';
import {
  edgeKey,
  isSkip,
  lineThrough,
  linksOf,
  NODE,
  placesOf,
  stagesOf,
  viewOf,
  type GraphPoint,
} from './graph-layout.ts';
import { itemsOf, rowsOf, type TreeRow } from './tree.ts';
import { costsOf, useAlgorithms, useKnown, useModel, useTimes } from './use-known.ts';
import { amount, detailsOf, shapeText, within } from './words.ts';

interface NodeData extends Record<string, unknown> {
  /** Of the row: the library shows its nodes for a moment after the model has changed. */
  model: ModelFile;
  row: TreeRow;
  invalid: boolean;
}
type LayerNode = Node<NodeData, 'layer'>;
type Flow = ReactFlowInstance<AnyNode, PathEdge>;
type PathEdge = Edge<{ name: string; points: GraphPoint[] }, 'routed'>;
type BoxNode = Node<{ row: TreeRow & { kind: 'block' } }, 'box'>;
type StageNode = Node<{ title: string }, 'stage'>;
type AnyNode = LayerNode | BoxNode | StageNode;

const NODE_TYPES = { layer: LayerNodeView, box: BoxNodeView, stage: StageNodeView };
const EDGE_TYPES = { routed: PathEdgeView };
/** Nodes from which on there is an overview. */
const DEEP = 12;

/** Replaces xyflow's texts for screen readers: nodes cannot be moved here. */
const labels = () => ({
  'node.a11yDescription.default': texts.graph.selectLayer,
  'edge.a11yDescription.default': texts.graph.selectConnection,
});

/** The model as a graph: the rows of the list as nodes, their inputs as edges. */
export default function GraphView() {
  const model = useModel();
  const known = useKnown();
  const open = useBuild((state) => state.open);
  const selected = useBuild((state) => state.selected);
  const [flow, setFlow] = useState<Flow>();
  const [line, setLine] = useState<string>();
  const frame = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(itemsOf(model.layers), open), [model.layers, open]);
  const links = useMemo(() => linksOf(model.layers, rows), [model.layers, rows]);
  const { places, boxes, paths } = useMemo(() => placesOf(rows, links), [rows, links]);

  const stages = useMemo(
    () =>
      stagesOf(rows, places, ({ part }) => {
        const output = part.last < 0 ? model.input : known.layers.get(model.layers[part.last].name)?.output;
        return output?.length === 3 ? shapeText(output.slice(1)) : undefined;
      }),
    [rows, places, model, known.layers],
  );

  // Memoised, because the library treats every new array as a change.
  const nodes = useMemo(
    (): AnyNode[] => [
      ...stages.map(({ id, title, x, y, width, height }): StageNode => ({
        id,
        type: 'stage',
        data: { title },
        position: { x, y },
        width,
        height,
        zIndex: -2,
        selectable: false,
        focusable: false,
      })),
      ...rows.map((row): LayerNode | BoxNode => {
        const box = boxes.find(({ id }) => id === row.id);
        if (row.kind === 'block' && box) {
          return {
            id: row.id,
            type: 'box',
            data: { row },
            position: { x: box.x, y: box.y },
            zIndex: -1,
            width: box.width,
            height: box.height,
            selected: row.id === selected,
            ariaLabel: texts.graph.expanded(row.block.name),
          };
        }
        const names = model.layers
          .slice(Math.max(row.part.first, 0), row.part.last + 1)
          .map(({ name }) => name);
        const invalid = known.errors.some(({ name, incomplete }) => !incomplete && names.includes(name));
        return {
          id: row.id,
          type: 'layer',
          data: { model, row, invalid },
          position: places.get(row.id) ?? { x: 0, y: 0 },
          ...NODE,
          selected: row.id === selected,
          ariaLabel: labelOf(row, invalid),
        };
      }),
    ],
    [rows, stages, boxes, places, selected, model, known.errors],
  );
  const edges = useMemo(
    () =>
      links.map((link): PathEdge => {
        const { from, to, name } = link;
        const skip = isSkip(model.layers, rows, link);
        const output = name === IMAGE ? model.input : known.layers.get(name)?.output;
        const invalid = known.errors.some(
          (error) =>
            error.inputs?.includes(name) &&
            rows.some(({ id, part }) => {
              const at = placeOf(model.layers, error.name);
              return id === to && at >= part.first && at <= part.last;
            }),
        );
        return {
          id: linkId(from, to, name),
          source: from,
          target: to,
          type: 'routed',
          data: { name, points: paths.get(edgeKey(from, to)) ?? [] },
          selected: line === linkId(from, to, name),
          // Each node has its output's shape.
          label: invalid || skip ? output && shapeText(output) : undefined,
          className: invalid ? styles.invalidEdge : skip ? styles.skip : undefined,
          ariaLabel: texts.graph[invalid ? 'mismatch' : 'connection'](from, to, shapeText(output)),
          markerEnd: { type: MarkerType.ArrowClosed },
        };
      }),
    [links, rows, paths, line, model, known],
  );

  // Show all of a small graph, and the selected part of a large one.
  const seen = rows.map(({ id }) => id).join();
  const show = useEffectEvent((to: Flow) => {
    if (!frame.current) return;
    const { clientWidth: width, clientHeight: height } = frame.current;
    void to.setViewport(viewOf(places, boxes, selected, width, height));
  });
  const shown = useRef('');
  useEffect(() => {
    if (!flow || shown.current === seen) return;
    shown.current = seen;
    show(flow);
  }, [flow, seen]);
  // Again when the width changes.
  useEffect(() => {
    if (!flow || !frame.current) return;
    let width = frame.current.clientWidth;
    const observer = new ResizeObserver(([{ contentRect }]) => {
      // Hidden screens have no width.
      if (contentRect.width === 0 || contentRect.width === width) return;
      width = contentRect.width;
      show(flow);
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [flow]);

  const connect = (source: string | null, target: string | null) => {
    const from = rows.find(({ id }) => id === source);
    const to = rows.find(({ id }) => id === target);
    if (!from || to?.kind !== 'layer') return;
    const name = from.part.last < 0 ? IMAGE : model.layers[from.part.last].name;
    const { inputs } = spellOut(model.layers)[to.at];
    const joins = ['add', 'concat'].includes(model.layers[to.at].op);
    if (from.part.last >= to.at || inputs.includes(name)) return;
    setLayerInputs(to.at, joins ? [...inputs, name] : [name]);
  };
  const cut = (gone: readonly PathEdge[]) => {
    for (const { target, data } of gone) {
      const at = placeOf(model.layers, target);
      if (at < 0) continue;
      const left = spellOut(model.layers)[at].inputs.filter((name) => name !== data?.name);
      if (left.length > 0) setLayerInputs(at, left);
      else edit(model, { say: texts.said.oneInput });
    }
  };
  return (
    <div ref={frame} className={styles.graph}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        ariaLabelConfig={labels()}
        nodesDraggable={false}
        zoomOnDoubleClick={false}
        deleteKeyCode={['Delete', 'Backspace']}
        onNodeClick={(_, { id, type }) => type !== 'stage' && select(id)}
        onNodeDoubleClick={(_, { id }) => id.startsWith('block ') && toggle(id)}
        onNodesChange={(changes) => {
          const chosen = changes.find((one) => one.type === 'select' && one.selected);
          if (chosen?.type === 'select' && chosen.id !== selected) select(chosen.id);
        }}
        onEdgesChange={(changes) => {
          for (const one of changes) {
            if (one.type === 'select')
              setLine((now) => (one.selected ? one.id : now === one.id ? undefined : now));
          }
        }}
        onBeforeDelete={({ edges: gone }) => {
          if (gone.length > 0) cut(gone);
          else removeSelected();
          return Promise.resolve(false);
        }}
        onConnect={({ source, target }) => connect(source, target)}
        zIndexMode="manual"
        onInit={setFlow}
        minZoom={0.08}
        maxZoom={1.5}
        proOptions={{ hideAttribution: false }}
      >
        <Background gap={20} size={1} />
        <Controls showInteractive={false} />
        {nodes.length > DEEP && (
          <MiniMap
            pannable
            zoomable
            ariaLabel={texts.graph.overview}
            nodeColor={({ type }) => (type === 'layer' ? 'var(--line-control)' : 'transparent')}
          />
        )}
      </ReactFlow>
    </div>
  );
}

const linkId = (from: string, to: string, name: string): string => `${from}→${to} ${name}`;

const labelOf = (row: TreeRow, invalid: boolean): string => {
  const name =
    row.kind === 'block'
      ? texts.graph.collapsed(row.block.name)
      : row.kind === 'image'
        ? texts.inspector.image
        : row.id;
  return invalid ? texts.graph.invalid(name) : name;
};

function LayerNodeView({ data: { model, row, invalid }, selected }: NodeProps<LayerNode>) {
  const known = useKnown();
  const times = useTimes();
  const algorithms = useAlgorithms();
  const kinds = useBuild((state) => state.catalogue?.kinds);
  if (row.kind === 'image') {
    return (
      <div className={styles.node} data-selected={selected || undefined}>
        <p className={styles.title}>{texts.inspector.image}</p>
        <p className={styles.shape}>{shapeText(model.input)}</p>
        <Handle type="source" position={Position.Right} />
      </div>
    );
  }
  const layer = model.layers[row.part.last];
  const costs = costsOf(model, known, row.part);
  const time = times?.ofPart(row.part);
  const title =
    row.kind === 'block'
      ? model.layers[row.block.join].op === 'add'
        ? texts.inspector.residual
        : texts.inspector.parallel
      : (kinds?.find(({ op }) => op === layer.op)?.title ?? layer.op);
  const use = row.kind === 'layer' ? algorithms?.[layer.name]?.fprop : undefined;
  return (
    <div
      className={styles.node}
      data-selected={selected || undefined}
      data-invalid={invalid || undefined}
      data-block={row.kind === 'block' ? model.layers[row.block.join].op : undefined}
    >
      <Handle type="target" position={Position.Left} />
      <p className={styles.title}>
        {invalid && <Icon name="warning" />}
        <span>{title}</span>
      </p>
      <code>{within(row.inside, row.kind === 'block' ? row.block.name : layer.name)}</code>
      <p className={styles.details}>
        {row.kind === 'block'
          ? texts.list.layers(row.part.last - row.part.first + 1)
          : detailsOf(layer, row.inside) || '\u00a0'}
      </p>
      <p className={styles.costs}>
        <b>{shapeText(known.layers.get(layer.name)?.output)}</b>
        {costs.parameters > 0 && <span title={texts.inspector.parameters}>{amount(costs.parameters)}</span>}
      </p>
      {(time || use) && (
        <p className={styles.costs}>
          {time && (
            <span title={texts.graph.times}>
              {format.time(time.forward)} + {format.time(time.backward)}
            </span>
          )}
          {use && <span title={`${use.algorithm}, ${use.launch}`}>{use.algorithm}</span>}
        </p>
      )}
      <Handle type="source" position={Position.Right} />
    </div>
  );
}

function BoxNodeView({ data: { row }, selected }: NodeProps<BoxNode>) {
  return (
    <div className={styles.box} data-selected={selected || undefined}>
      <button type="button" className="nodrag" onClick={() => toggle(row.id, false)}>
        {row.block.name}
        <Icon name="close" />
        <span className="unseen">: collapse</span>
      </button>
    </div>
  );
}

function StageNodeView({ data: { title } }: NodeProps<StageNode>) {
  return (
    <div className={styles.stage}>
      <span>{title}</span>
    </div>
  );
}

/** An edge along the layout's path around the nodes between its ends. */
function PathEdgeView({ sourceX, sourceY, targetX, targetY, data, label, markerEnd }: EdgeProps<PathEdge>) {
  const from = { x: sourceX, y: sourceY };
  const to = { x: targetX, y: targetY };
  const { path, middle } = lineThrough(from, data?.points.slice(1, -1) ?? [], to);
  return <BaseEdge path={path} label={label} labelX={middle.x} labelY={middle.y} markerEnd={markerEnd} />;
}
