/** The network that grows while the layers of a layers model are read. */
import type { Padding } from '../../base/padding.ts';
import { Failure } from '../../base/result.ts';
import type { Shape } from '../../base/shape.ts';
import type { Normalisation } from '../../engine/samples.ts';
import { JsonPlace } from '../../base/json-place.ts';
import type { WeightsInfo } from '../../models/file/weights.ts';
import type { Budget } from '../budget.ts';
import { Draft, IMAGES } from '../draft.ts';
import type { Imported } from '../imported.ts';
import type { KerasTensor } from './tensors.ts';

/** What comes out of a layer of the file. Some are parts of a layer here; they wait for the rest. */
export type TfjsValue =
  | { kind: 'images' }
  /** (image - mean) / std, by channel. */
  | ({ kind: 'normalised' } & Normalisation)
  /** `heldAs`: a vector whose values are in the order H, W, C of this shape [C, H, W]; here they are in the order C, H, W. */
  | { kind: 'layer'; layer: string; heldAs?: Shape }
  | { kind: 'padded'; of: string; padding: Padding }
  /** Axes in the order C, H, W, for a Flatten to follow. */
  | { kind: 'channels first'; of: string }
  /** One value a channel as a vector, of a pooling that leaves [C, 1, 1]. */
  | { kind: 'pooled'; of: string };

const WORDS: Readonly<Record<'layer' | 'channels first', string>> = {
  layer: 'a vector in TensorFlow’s order of values, which only Dense can take',
  'channels first': 'a change of axes that no Flatten follows',
};

/** A layer as the file has it. */
export interface FileLayer {
  name: string;
  className: string;
  config: JsonPlace;
  /** The names of the layers that it reads. */
  inputs: readonly string[];
}

export class TfjsNetwork {
  readonly draft: Draft;
  private readonly values = new Map<string, TfjsValue>();
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
    images: Shape,
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

  /** Whether another layer reads it. */
  isTaken = ({ name }: FileLayer): boolean => this.taken.has(name);

  define({ name }: Pick<FileLayer, 'name'>, value: TfjsValue): void {
    this.values.set(name, value);
  }

  /** @throws Failure if it comes from nowhere */
  input(layer: FileLayer, i = 0): TfjsValue {
    const name = layer.inputs[i];
    const value = this.values.get(name);
    if (value) return value;
    throw this.bad(layer, `input ${i}, "${String(name).slice(0, 100)}", is the output of no layer before it`);
  }

  /** The layer here whose output an input is. @throws Failure if it is something else */
  source(layer: FileLayer, i = 0): string {
    const { of, heldAs } = this.vector(layer, i);
    if (heldAs) throw this.unsupported(layer, `its input is ${WORDS.layer}`);
    return of;
  }

  /** The same, also of a vector whose values are in TensorFlow's order. */
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
  private addPad(name: string, { of, padding }: TfjsValue & { kind: 'padded' }): string {
    const layer = this.draft.add(name, 'pad', [of], { padding });
    this.define({ name }, { kind: 'layer', layer });
    return layer;
  }

  /** Whether a value is images that the file has as a vector or as rows. */
  arePixels = ({ kind }: TfjsValue): boolean => this.pixels && (kind === 'images' || kind === 'normalised');

  /** The images, as they enter the network by this layer. */
  imageSource(layer: FileLayer, value: TfjsValue): string {
    this.takeImages(layer, value.kind === 'normalised' ? value : undefined);
    return IMAGES;
  }

  private flatImages(layer: FileLayer, value: TfjsValue): { of: string; heldAs?: Shape } {
    const images = this.imageSource(layer, value);
    this.flat ??= this.draft.add('flatten', 'flatten', [images]);
    const shape = this.draft.images;
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

  /**
   * A weight of a layer.
   * @param own "kernel", or names of which the file has one
   * @throws Failure `bad-file` if the file has none, or one of another rank
   */
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
      config: new JsonPlace(this.file, undefined),
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
