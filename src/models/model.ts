import { elements, type Shape } from '../base/shape.ts';
import { inferShapes, layoutParameters, type Layer, type LayerShape } from '../engine/network.ts';

/** An architecture as data. */
export interface Model {
  readonly name: string;
  /** For people: "LeNet-5". */
  readonly title: string;
  readonly description: string;
  /** [C, H, W] of the images it takes. */
  readonly input: Shape;
  readonly classes: number;
  readonly layers: readonly Layer[];
}

/** What people want to know of a model before training it. */
export interface ModelSummary {
  layers: { name: string; title: string; outputShape: Shape; parameters: number }[];
  parameters: number;
}

/** Shapes without N. */
export function summarise(model: Model): ModelSummary {
  const shapes = inferShapes(model.layers, [1, ...model.input]);
  const layers = shapes.map((shape) => ({
    name: shape.layer.name,
    title: titleOf(shape),
    outputShape: shape.output.slice(1),
    parameters: shape.parameters.reduce((sum, spec) => sum + elements(spec.shape), 0),
  }));
  return { layers, parameters: layoutParameters(shapes).count };
}

const titles: Record<string, string> = {
  conv: 'Convolution',
  batch_norm: 'Batch normalisation',
  relu: 'ReLU',
  add: 'Sum',
  concat: 'Concatenation',
  max_pool: 'Max pooling',
  avg_pool: 'Average pooling',
  flatten: 'Flatten',
  linear: 'Fully connected',
};

function titleOf({ layer, op }: LayerShape): string {
  const window = layer.attributes?.kernelSize;
  const title = titles[op.name] ?? op.name;
  return Array.isArray(window) ? `${title} ${window.join('×')}` : title;
}
