import {
  Background,
  Controls,
  MiniMap,
  ReactFlow,
  type EdgeChange,
  type NodeChange,
  type ReactFlowInstance,
} from '@xyflow/react';
import { useEffect, useEffectEvent, useMemo, useRef, useState, type RefObject } from 'react';
// oxlint-disable-next-line import/no-unassigned-import -- the library's own styles
import '@xyflow/react/dist/base.css';
import { build as texts } from '../../messages/en/build.tsx';
import { connect, disconnect, removeSelected, select, toggle, useBuild } from './build-store.ts';
import styles from './Graph.module.css';
import { edgesOf, nodesOf, type GraphNode, type PathEdge } from './graph-elements.ts';
import { linksOf, placesOf, viewOf } from './graph-layout.ts';
import { BoxNodeView, LayerNodeView, PathEdgeView, StageNodeView } from './GraphNodes.tsx';
import { itemsOf, rowsOf } from './tree.ts';
import { useKnown, useModel } from './use-known.ts';

type Flow = ReactFlowInstance<GraphNode, PathEdge>;

const NODE_TYPES = { layer: LayerNodeView, box: BoxNodeView, stage: StageNodeView };
const EDGE_TYPES = { routed: PathEdgeView };
/** Nodes from which on there is an overview. */
const DEEP = 12;

/** Replaces xyflow's texts for screen readers: nodes cannot be moved here. */
const labels = () => ({
  'node.a11yDescription.default': texts.graph.selectLayer,
  'edge.a11yDescription.default': texts.graph.selectConnection,
});

/** The graph's nodes and edges. Memoised, because the library treats every new array as a change. */
function useElements(selected: string, edge: string | undefined) {
  const model = useModel();
  const known = useKnown();
  const open = useBuild((state) => state.open);
  const rows = useMemo(() => rowsOf(itemsOf(model.layers), open), [model.layers, open]);
  const links = useMemo(() => linksOf(model.layers, rows), [model.layers, rows]);
  const layout = useMemo(() => placesOf(rows, links), [rows, links]);
  const nodes = useMemo(
    () => nodesOf(rows, layout, model, known, selected),
    [rows, layout, model, known, selected],
  );
  const edges = useMemo(
    () => edgesOf(links, rows, layout, model, known, edge),
    [links, rows, layout, model, known, edge],
  );
  return { rows, layout, nodes, edges };
}

/** The model as a graph: the rows of the list as nodes, their inputs as edges. */
export default function GraphView() {
  const selected = useBuild((state) => state.selected);
  const [edge, setEdge] = useState<string>();
  const [flow, setFlow] = useState<Flow>();
  const frame = useRef<HTMLDivElement>(null);
  const { rows, layout, nodes, edges } = useElements(selected, edge);
  useFitted(frame, flow, rows.map(({ id }) => id).join(), (width, height) =>
    viewOf(layout, selected, width, height),
  );
  const nodesChanged = (changes: readonly NodeChange<GraphNode>[]) => {
    const chosen = changes.find((one) => one.type === 'select' && one.selected);
    if (chosen?.type === 'select' && chosen.id !== selected) select(chosen.id);
  };
  const edgesChanged = (changes: readonly EdgeChange<PathEdge>[]) => {
    for (const one of changes)
      if (one.type === 'select') setEdge((now) => (one.selected ? one.id : now === one.id ? undefined : now));
  };
  /** Selected connections, or else the selected row. The library's own list stays: that of the model follows. */
  const remove = ({ edges: gone }: { edges: readonly PathEdge[] }) => {
    if (gone.length === 0) removeSelected();
    for (const { target, data } of gone) disconnect(target, data?.name);
    return Promise.resolve(false);
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
        onNodesChange={nodesChanged}
        onEdgesChange={edgesChanged}
        onBeforeDelete={remove}
        onConnect={({ source, target }) => connect(source, target)}
        zIndexMode="manual"
        onInit={setFlow}
        minZoom={0.08}
        maxZoom={1.5}
      >
        <Background gap={20} size={1} />
        <Controls showInteractive={false} />
        {nodes.length > DEEP && <Overview />}
      </ReactFlow>
    </div>
  );
}

const Overview = () => (
  <MiniMap
    pannable
    zoomable
    ariaLabel={texts.graph.overview}
    nodeColor={({ type }) => (type === 'layer' ? 'var(--line-control)' : 'transparent')}
  />
);

/**
 * Shows all of a small graph, and the selected part of a large one: when its nodes change, and when the frame's width does.
 * @param nodes tells one graph from another
 */
function useFitted(
  frame: RefObject<HTMLDivElement | null>,
  flow: Flow | undefined,
  nodes: string,
  view: (width: number, height: number) => Parameters<Flow['setViewport']>[0],
): void {
  const show = useEffectEvent((to: Flow) => {
    if (frame.current) void to.setViewport(view(frame.current.clientWidth, frame.current.clientHeight));
  });
  const shown = useRef('');
  useEffect(() => {
    if (!flow || shown.current === nodes) return;
    shown.current = nodes;
    show(flow);
  }, [flow, nodes]);
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
  }, [flow, frame]);
}
