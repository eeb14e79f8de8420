/** The network that grows while the layers of a layers model are read. */
import { Failure } from '../../base/result.ts';
import type { Shape } from '../../base/shape.ts';
import type { Normalisation } from '../../engine/samples.ts';
import { JsonPlace } from '../../base/json-place.ts';
import type { WeightsInfo } from '../../models/file/weights.ts';
import {
  KerasConfig,
  type FileLayer,
  type KerasReading,
  type KerasTensor,
  type KerasValue,
} from '../../ops/keras.ts';
import { isNonNegative } from '../../ops/non-negative.ts';
import { FORMATS } from '../../ops/writers.ts';
import type { Budget } from '../budget.ts';
import { Draft, IMAGES } from '../draft.ts';
import type { Imported } from '../imported.ts';

const WORDS: Readonly<Record<'layer' | 'channels first', string>> = {
  layer: 'a vector in TensorFlow’s order of values, which only Dense can take',
  'channels first': 'a change of axes that no Flatten follows',
};

type SkipFirst<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

/** Activations by Keras's names: an op and its attributes. */
const ACTIVATIONS = new Map(
  FORMATS.all().flatMap(({ op, tfjs }) =>
    Object.entries(tfjs.activations ?? {}).map(([name, attributes]) => [name, { op, attributes }] as const),
  ),
);

export class TfjsNetwork implements KerasReading {
  private readonly draft: Draft;
  private readonly values = new Map<string, KerasValue>();
  private readonly taken: ReadonlySet<string>;
  private readonly notes: string[] = [];
  private normalisation: Normalisation | undefined;
  private raw = false;
  /** The layer that makes a vector of the images. */
  private flat: string | undefined;

  /**
   * @param images [C, H, W]
   * @param pixels whether the file has them as a vector or as rows, in the order H, W, C
   */
  constructor(
    private readonly file: string,
    readonly images: Shape,
    layers: readonly FileLayer[],
    private readonly tensors: ReadonlyMap<string, () => KerasTensor>,
    budget: Budget,
    private readonly pixels = false,
  ) {
    this.draft = new Draft(file, images, budget);
    this.taken = new Set(layers.flatMap(({ inputs }) => inputs));
  }

  unsupported({ name, className }: FileLayer, why: string, advice?: string): Failure {
    return new Failure(
      'unsupported',
      `${this.file}, layer "${name.slice(0, 100)}" (${className}): ${why}`,
      advice,
    );
  }

  bad({ name, className }: FileLayer, why: string): Failure {
    return new Failure('bad-file', `${this.file}, layer "${name.slice(0, 100)}" (${className}): ${why}`);
  }

  note(text: string): void {
    this.notes.push(text);
  }

  define({ name }: Pick<FileLayer, 'name'>, value: KerasValue): void {
    this.values.set(name, value);
  }

  readonly addLayer: Draft['add'] = (...layer) => this.draft.add(...layer);

  add(layer: FileLayer, ...added: SkipFirst<Parameters<Draft['add']>>): KerasValue {
    return this.activated(layer, { kind: 'layer', layer: this.draft.add(layer.name, ...added) });
  }

  /** The value after the setting `activation`, of layers that have one besides what they do. */
  activated(layer: FileLayer, value: KerasValue & { kind: 'layer' }): KerasValue {
    const name = layer.config.word('activation', 'linear');
    if (name === 'linear') return value;
    if (name === 'softmax') return this.softmax(layer, value);
    const found = ACTIVATIONS.get(name);
    if (!found) throw this.unsupported(layer, `wgrad has no activation ${name.slice(0, 40)}`);
    const { op, attributes } = found;
    return { ...value, layer: this.draft.add(`${layer.name}_${op}`, op, [value.layer], { ...attributes }) };
  }

  /** @throws Failure if another layer reads it */
  softmax(layer: FileLayer, value: KerasValue): KerasValue {
    if (this.taken.has(layer.name)) throw this.unsupported(layer, 'wgrad supports softmax only at the end');
    this.note('The softmax at the end was left out: networks here end with logits.');
    return value;
  }

  shapeOf = (layer: string): Shape => this.draft.shapeOf(layer);

  isNonNegative(source: string): boolean {
    const { layers } = this.draft;
    const index = layers.findIndex(({ name }) => name === source);
    if (index < 0) return false;
    const { op, inputs = [layers[index - 1]?.name ?? IMAGES] } = layers[index];
    return isNonNegative(op, () => inputs.every((input) => this.isNonNegative(input)));
  }

  input(layer: FileLayer, i = 0): KerasValue {
    const name = layer.inputs[i];
    const value = this.values.get(name);
    if (value) return value;
    throw this.bad(layer, `input ${i}, "${String(name).slice(0, 100)}", is the output of no layer before it`);
  }

  source(layer: FileLayer, i = 0): string {
    const { of, heldAs } = this.vector(layer, i);
    if (heldAs) throw this.unsupported(layer, `its input is ${WORDS.layer}`);
    return of;
  }

  vector(layer: FileLayer, i = 0): { of: string; heldAs?: Shape } {
    const value = this.input(layer, i);
    switch (value.kind) {
      case 'layer':
        return { of: value.layer, ...(value.heldAs ? { heldAs: value.heldAs } : {}) };
      case 'images':
      case 'normalised':
        return this.pixels ? this.flatImages(layer, value) : { of: this.imageSource(layer, value) };
      case 'padded':
        return { of: this.addPad(layer.inputs[i], value) };
      case 'pooled':
        return { of: this.draft.add(`${value.of}_flatten`, 'flatten', [value.of]) };
      default:
        throw this.unsupported(layer, `its input is ${WORDS[value.kind]}`);
    }
  }

  /** Adds the layer that pads, where none includes the padding. @returns its name */
  private addPad(name: string, { of, padding }: KerasValue & { kind: 'padded' }): string {
    const layer = this.draft.add(name, 'pad', [of], { padding });
    this.define({ name }, { kind: 'layer', layer });
    return layer;
  }

  arePixels = ({ kind }: KerasValue): boolean => this.pixels && (kind === 'images' || kind === 'normalised');

  imageSource(layer: FileLayer, value: KerasValue): string {
    this.takeImages(layer, value.kind === 'normalised' ? value : undefined);
    return IMAGES;
  }

  private flatImages(layer: FileLayer, value: KerasValue): { of: string; heldAs?: Shape } {
    const images = this.imageSource(layer, value);
    this.flat ??= this.draft.add('flatten', 'flatten', [images]);
    const shape = this.images;
    return { of: this.flat, ...(shape[0] > 1 ? { heldAs: shape } : {}) };
  }

  /** Images must enter the network in one way. */
  private takeImages(layer: FileLayer, normalisation: Normalisation | undefined): void {
    const before = this.normalisation;
    const differs = this.raw
      ? normalisation !== undefined
      : before !== undefined && JSON.stringify(before) !== JSON.stringify(plain(normalisation));
    if (differs) throw this.unsupported(layer, 'the images enter the network normalised in two ways');
    if (normalisation) this.normalisation = plain(normalisation);
    else this.raw = true;
  }

  weight(layer: FileLayer, own: string | readonly string[], rank: number): KerasTensor {
    const names = [own].flat();
    const [read] = names.flatMap(
      (name) => this.tensors.get(`${layer.name}/${name}`) ?? this.inScope(layer, name) ?? [],
    );
    if (!read)
      throw this.bad(layer, `expected the weight "${layer.name.slice(0, 100)}/${names[0]}", found none`);
    const tensor = read();
    if (tensor.shape.length !== rank || tensor.shape.some((size) => size < 1))
      throw this.bad(
        layer,
        `expected its ${names[0]} to have ${rank} dimensions of at least 1, found [${tensor.shape.join(', ')}]`,
      );
    return tensor;
  }

  /** A tensor whose name has more parts: "model/conv1/kernel:0". */
  private inScope({ name }: FileLayer, own: string): (() => KerasTensor) | undefined {
    for (const [path, read] of this.tensors) {
      const parts = path.split('/');
      const last = parts.pop()?.replace(/:0$/, '');
      if (last === own && parts.includes(name)) return read;
    }
    return undefined;
  }

  /** @param outputs the layers whose outputs are the model's */
  finish(outputs: readonly string[], title: string, info: WeightsInfo): Imported {
    if (outputs.length !== 1)
      throw new Failure('unsupported', `${this.file}: expected one output, found ${outputs.length}`);
    const end = {
      name: outputs[0],
      className: 'output',
      config: new KerasConfig(new JsonPlace(this.file, undefined)),
      inputs: outputs,
    };
    const last = this.source(end);
    if (last !== this.draft.layers.at(-1)?.name)
      throw this.unsupported(end, 'expected the output of the last layer');
    const { normalisation } = this;
    return this.draft.finish(title, { ...info, ...(normalisation ? { normalisation } : {}) }, this.notes);
  }
}

const plain = (of: Normalisation | undefined): Normalisation | undefined =>
  of && { mean: of.mean, std: of.std };
