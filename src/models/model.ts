import { Failure } from '../base/result.ts';
import { elements, sameShape, type Shape } from '../base/shape.ts';
import type { WeightsInit } from '../engine/init.ts';
import { inferShapes, layoutParameters, type Layer, type LayerShape } from '../engine/network.ts';

/** An architecture as data. */
export interface Model {
  readonly name: string;
  /** For display: "LeNet-5". */
  readonly title: string;
  readonly description: string;
  /** The group that lists show it under: "ResNet". */
  readonly family?: string;
  /** [C, H, W] of the images it is defined for; `fitModel` fits it to others. */
  readonly input: Shape;
  readonly classes: number;
  /** How its parameters are initialised. Default `kaiming_uniform`, as in PyTorch's layers. */
  readonly weightsInit?: WeightsInit;
  readonly layers: readonly Layer[];
}

/** What models share that are as published for ImageNet's images; most do not fit small ones. */
export const FULL_SIZE = { family: 'As published, 224×224', input: [3, 224, 224], classes: 1000 } as const;

/** The properties of a data set that a model must fit. */
export interface Images {
  /** For messages: "CIFAR-10". */
  readonly name: string;
  /** [C, H, W] */
  readonly shape: Shape;
  readonly classes: { readonly length: number };
}

/** The attribute that sets the number of a layer's output channels, by op. */
const WIDTHS: Readonly<Record<string, string>> = { linear: 'outFeatures', conv: 'outChannels' };

/**
 * The model for other images than those it is defined for: the last linear layer or convolution gets one output per
 * class, and all shapes follow from the images' size.
 * @throws Failure('bad-input') if the layers do not support such images
 */
export function fitModel(model: Model, { name, shape, classes: { length: classes } }: Images): Model {
  if (sameShape(model.input, shape) && model.classes === classes) return model;
  const last = model.layers.findLastIndex(({ op }) => op in WIDTHS);
  const layers = model.layers.map((layer, i) =>
    i === last && classes !== model.classes
      ? { ...layer, attributes: { ...layer.attributes, [WIDTHS[layer.op]]: classes } }
      : layer,
  );
  const fitted = { ...model, input: shape, classes, layers };
  try {
    requireClasses(fitted);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const images = `the ${shape.join(' x ')} images and ${classes} classes of ${name}`;
    const made = `It expects ${model.input.join(' x ')} and ${model.classes} classes.`;
    throw new Failure(
      error.code,
      `${model.title} does not fit ${images}: ${error.message}`,
      error.advice ? `${made} ${error.advice}` : made,
    );
  }
  return fitted;
}

/**
 * The shapes of all layers' outputs, for one image.
 * @throws Failure('bad-input') if they do not fit one another, or the network does not end with one output per class
 */
export function requireClasses({ layers, input, classes }: Model): LayerShape[] {
  const shapes = inferShapes(layers, [1, ...input]);
  const { output } = shapes[shapes.length - 1];
  if (!sameShape(output, [1, classes])) {
    const found = output.slice(1).join(' x ');
    throw new Failure(
      'bad-input',
      `layers[${layers.length - 1}] "${layers[layers.length - 1].name}": expected the last layer to output ` +
        `${classes} values, one per class; found ${found}`,
    );
  }
  return shapes;
}

/** A model's layers, with shapes and parameters. */
export interface ModelSummary {
  layers: { name: string; op: string; title: string; outputShape: Shape; parameters: number }[];
  parameters: number;
}

/** Shapes without N. */
export function summarise(model: Model): ModelSummary {
  const shapes = inferShapes(model.layers, [1, ...model.input]);
  const layers = shapes.map((shape) => ({
    name: shape.layer.name,
    op: shape.op.name,
    title: titleOf(shape),
    outputShape: shape.output.slice(1),
    parameters: shape.parameters.reduce((sum, spec) => sum + elements(spec.shape), 0),
  }));
  return { layers, parameters: layoutParameters(shapes).count };
}

function titleOf({ layer, op: { name, title }, input }: LayerShape): string {
  const { kernelSize, outputSize, groups } = layer.attributes ?? {};
  if (Array.isArray(outputSize)) return `${title} to ${outputSize.join('\u00a0×\u00a0')}`;
  if (!Array.isArray(kernelSize)) return title;
  const depthwise = name === 'conv' && groups === input[1] && groups > 1;
  return `${depthwise ? 'Depthwise convolution' : title} ${kernelSize.join('\u00a0×\u00a0')}`;
}
