/** A network in the making, while a file of another program is read. */
import { isPaddingSetting, paddingPair } from '../base/padding.ts';
import { Failure } from '../base/result.ts';
import { elements, type Shape } from '../base/shape.ts';
import type { Layer } from '../engine/network.ts';
import { ops } from '../engine/ops/registry.ts';
import type { StateDict } from '../engine/parameters.ts';
import { MAX_LAYERS, parseModel } from '../models/file/parse.ts';
import { requireFit, type WeightsInfo } from '../models/file/weights.ts';
import { toJson } from '../models/file/write.ts';
import { completeAttributes, defaultOf, type AttributeSpecs } from '../ops/attributes.ts';
import type { Budget } from './budget.ts';
import type { Imported } from './imported.ts';

/** How layers name the images. */
export const IMAGES = 'input';
/** The longest name of a layer. */
const MAX_NAME = 100;

type Tensor = StateDict extends ReadonlyMap<string, infer T> ? T : never;

export class Draft {
  readonly layers: Layer[] = [];
  readonly parameters = new Map<string, Tensor>();
  private readonly names = new Set([IMAGES]);
  private readonly shapes: Map<string, Shape>;

  /**
   * @param images [C, H, W]
   * @param budget layers may share a tensor of the file, and each has its own later on
   */
  constructor(
    private readonly file: string,
    readonly images: Shape,
    private readonly budget: Budget,
  ) {
    this.shapes = new Map([[IMAGES, images]]);
  }

  /**
   * Adds a layer; attributes that are the op's default are left out.
   * @param weights by the names that the op gives them
   * @returns its name: as wanted, or the next free one
   */
  add(
    wanted: string,
    op: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, unknown>> = {},
    weights: Readonly<Record<string, Tensor | undefined>> = {},
  ): string {
    if (this.layers.length === MAX_LAYERS)
      throw new Failure('unsupported', `${this.file}: expected at most ${MAX_LAYERS} layers, found more`);
    const name = this.unique(wanted);
    const previous = this.layers.at(-1)?.name ?? IMAGES;
    const inLine = inputs.length === 1 && inputs[0] === previous;
    const given = withoutDefaults(ops.get(op).attributes, attributes);
    this.layers.push({
      name,
      op,
      ...(inLine ? {} : { inputs }),
      ...(Object.keys(given).length > 0 ? { attributes: given } : {}),
    });
    for (const [own, tensor] of Object.entries(weights)) {
      if (!tensor) continue;
      this.budget.take(tensor.data.byteLength, `layer "${name}"`);
      this.parameters.set(`${name}.${own}`, tensor);
    }
    return name;
  }

  /** [C, H, W] or [C] of a layer's output, or of the images. @throws Failure `bad-file` if shapes do not fit so far */
  shapeOf(layer: string): Shape {
    const known = this.shapes.get(layer);
    if (known) return known;
    const index = this.layers.findIndex(({ name }) => name === layer);
    const { op, inputs = [this.layers[index - 1]?.name ?? IMAGES], attributes = {} } = this.layers[index];
    const [first, ...others] = inputs.map((input) => [1, ...this.shapeOf(input)]);
    try {
      const found = ops.get(op);
      const shape = found.outputShape(completeAttributes(found, attributes), first, ...others).slice(1);
      this.shapes.set(layer, shape);
      return shape;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure('bad-file', `${this.file}: layer "${layer}": ${error.message}`, error.advice);
    }
  }

  /**
   * The network, checked.
   * @param title for people; its name follows from that
   * @param info what else the file says; classes of another number are left out
   * @throws Failure `bad-file` if layers or weights do not fit one another
   */
  finish(title: string, { classes, ...info }: WeightsInfo, notes: readonly string[]): Imported {
    const { file, layers, images, parameters } = this;
    const outputs = elements(this.shapeOf(layers.at(-1)?.name ?? IMAGES));
    const draft = {
      name: title.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^[.-]+/, '') || 'imported',
      title,
      description: `Imported from ${file}.`,
      input: images,
      classes: outputs,
      layers,
    };
    const model = parseModel(file, toJson(draft));
    requireFit(file, model, parameters);
    const known = classes?.length === outputs ? { classes } : {};
    return { model, parameters, info: { ...known, ...info }, notes };
  }

  private unique(wanted: string): string {
    const plain = wanted
      .replace(/[^A-Za-z0-9_.-]+/g, '_')
      .replace(/^[._-]+/, '')
      .slice(0, MAX_NAME - 6);
    const stem = plain === '' || plain === IMAGES ? 'layer' : plain;
    let name = stem;
    for (let n = 2; this.names.has(name); n++) name = `${stem}_${n}`;
    this.names.add(name);
    return name;
  }
}

/** A padding as a pair where opposite sides are equal. */
const shortest = (value: unknown): unknown =>
  isPaddingSetting(value) && typeof value === 'object' && 'top' in value
    ? (paddingPair(value) ?? value)
    : value;

/** Those of a layer's attributes that are not the default. */
const withoutDefaults = (attributes: AttributeSpecs = {}, given: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(given)
      .map(([name, value]) => [name, shortest(value)] as const)
      .filter(
        ([name, value]) => String(value) !== String(attributes[name] && defaultOf(attributes[name], given)),
      ),
  );
