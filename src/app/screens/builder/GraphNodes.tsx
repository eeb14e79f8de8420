/** What the graph shows: layers and blocks, the boxes and stages around them, and their connections. */
import { BaseEdge, Handle, Position, type EdgeProps, type NodeProps } from '@xyflow/react';
import { Icon } from '../../widgets/Icon.tsx';
import * as format from '../../format.ts';
import { build as texts } from '../../messages/en/build.tsx';
import { toggle, useBuild } from './build-store.ts';
import styles from './Graph.module.css';
import type { BoxNode, LayerNode, PathEdge, StageNode } from './graph-elements.ts';
import { lineThrough } from './graph-layout.ts';
import { costsOf, useAlgorithms, useKnown, useTimes } from './use-known.ts';
import { amount, nameIn, shapeText, subtitleOf, titleOf } from './words.ts';

export function LayerNodeView({ data: { model, row, invalid }, selected }: NodeProps<LayerNode>) {
  const known = useKnown();
  const kinds = useBuild((state) => state.catalogue?.kinds);
  const { parameters } = costsOf(model, known, row.part);
  const output =
    row.kind === 'image' ? model.input : known.layers.get(model.layers[row.part.last].name)?.output;
  return (
    <div
      className={styles.node}
      data-selected={selected || undefined}
      data-invalid={invalid || undefined}
      data-block={row.kind === 'block' ? model.layers[row.block.join].op : undefined}
    >
      {row.kind !== 'image' && <Handle type="target" position={Position.Left} />}
      <p className={styles.title}>
        {invalid && <Icon name="warning" />}
        <span>{titleOf(row, model.layers, kinds)}</span>
      </p>
      {row.kind === 'image' ? (
        <p className={styles.shape}>{shapeText(output)}</p>
      ) : (
        <>
          <code>{nameIn(row)}</code>
          <p className={styles.details}>{subtitleOf(row, model.layers) || '\u00a0'}</p>
          <p className={styles.costs}>
            <b>{shapeText(output)}</b>
            {parameters > 0 && <span title={texts.inspector.parameters}>{amount(parameters)}</span>}
          </p>
          <Measured row={row} />
        </>
      )}
      <Handle type="source" position={Position.Right} />
    </div>
  );
}

/** What the last profile and the last run measured of a layer: its times, and the algorithm of its forward pass. */
function Measured({ row }: Pick<LayerNode['data'], 'row'>) {
  const time = useTimes()?.ofPart(row.part);
  const algorithms = useAlgorithms();
  const use = row.kind === 'layer' ? algorithms?.[row.id]?.fprop : undefined;
  if (!time && !use) return null;
  return (
    <p className={styles.costs}>
      {time && (
        <span title={texts.graph.times}>
          {format.time(time.forward)} + {format.time(time.backward)}
        </span>
      )}
      {use && <span title={`${use.algorithm}, ${use.launch}`}>{use.algorithm}</span>}
    </p>
  );
}

export function BoxNodeView({ data: { row }, selected }: NodeProps<BoxNode>) {
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

export function StageNodeView({ data: { title } }: NodeProps<StageNode>) {
  return (
    <div className={styles.stage}>
      <span>{title}</span>
    </div>
  );
}

/** An edge along the layout's path around the nodes between its ends. */
export function PathEdgeView({
  sourceX,
  sourceY,
  targetX,
  targetY,
  data,
  label,
  markerEnd,
}: EdgeProps<PathEdge>) {
  const from = { x: sourceX, y: sourceY };
  const to = { x: targetX, y: targetY };
  const { path, middle } = lineThrough(from, data?.points.slice(1, -1) ?? [], to);
  return <BaseEdge path={path} label={label} labelX={middle.x} labelY={middle.y} markerEnd={markerEnd} />;
}
