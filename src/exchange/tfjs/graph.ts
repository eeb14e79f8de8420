/** A layers model of TensorFlow.js in the making: Keras's layers, and which parameters their weights hold. */
import { assert } from '../../base/assert.ts';
import { Failure } from '../../base/result.ts';
import type { Shape } from '../../base/shape.ts';
import type { KerasGraph, Placed } from '../../ops/tfjs.ts';

/** A layer as Keras writes it. */
export interface KerasLayer {
  class_name: string;
  name: string;
  config: Readonly<Record<string, unknown>>;
  inbound_nodes: readonly (readonly (readonly [
    name: string,
    node: number,
    tensor: number,
    kwargs: object,
  ])[])[];
}

/** A tensor of the file. */
export interface KerasWeight {
  /** "conv1/kernel" */
  name: string;
  shape: Shape;
  /** Where its values come from: a parameter, or numbers that the model contains otherwise. */
  values:
    | {
        /** "conv1.weight" */
        parameter: string;
        /** The parameter's shape as it is transposed: depthwise filters have their channels apart. */
        view: Shape;
        /** For each axis of the tensor, which axis of `view` it is. */
        order: readonly number[];
      }
    | Float32Array<ArrayBuffer>;
}

export class LayersGraph implements KerasGraph {
  readonly layers: KerasLayer[] = [];
  readonly weights: KerasWeight[] = [];
  private readonly names = new Set<string>();

  /** @param most layers that it may have */
  constructor(private readonly most = Infinity) {}

  /** A name that no layer has yet, and that names of tensors may begin with. */
  private unique(wanted: string): string {
    const stem = /^[A-Za-z0-9]/.test(wanted) ? wanted : `layer${wanted}`;
    let name = stem;
    for (let n = 2; this.names.has(name); n++) name = `${stem}_${n}`;
    this.names.add(name);
    return name;
  }

  /** @returns its name. @throws Failure `unsupported` if there are too many */
  add(className: string, wanted: string, inputs: readonly string[], config: object = {}): string {
    if (this.layers.length === this.most)
      throw new Failure('unsupported', `it takes more than ${this.most} layers in TensorFlow.js`);
    const name = this.unique(wanted);
    const inbound = inputs.map((input) => [input, 0, 0, {}] as const);
    this.layers.push({
      class_name: className,
      name,
      config: { name, trainable: true, dtype: 'float32', ...config },
      inbound_nodes: inbound.length === 0 ? [] : [inbound],
    });
    return name;
  }

  /** The images, [H, W, C]. */
  input(wanted: string, [C, H, W]: Shape): string {
    const name = this.unique(wanted);
    const config = { batch_input_shape: [null, H, W, C], dtype: 'float32', sparse: false, name };
    this.layers.push({ class_name: 'InputLayer', name, config, inbound_nodes: [] });
    return name;
  }

  /** A layer's weight that holds a parameter. */
  weight(layer: string, own: string, [parameter, view, order]: Placed): void {
    assert(view.length === order.length, `${parameter}: ${order.length} axes of ${view.length}`);
    const shape = order.map((axis) => view[axis]);
    this.weights.push({ name: `${layer}/${own}`, shape, values: { parameter, view, order } });
  }

  /** A layer's weight that is no parameter. */
  constant(layer: string, own: string, values: readonly number[]): void {
    const data = Float32Array.from(values);
    this.weights.push({ name: `${layer}/${own}`, shape: [data.length], values: data });
  }

  /** The model as Keras writes it. */
  topology(name: string, input: string, output: string): object {
    const config = {
      name,
      layers: this.layers,
      input_layers: [[input, 0, 0]],
      output_layers: [[output, 0, 0]],
    };
    return {
      keras_version: '2.15.0',
      backend: 'tensorflow',
      model_config: { class_name: 'Functional', config },
    };
  }
}
