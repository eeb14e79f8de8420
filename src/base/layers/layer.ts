/** Lists of layers as plain data, for code that draws or edits them: a layer's inputs, and layers by name. */

/** A layer as model files list it. */
export interface LayerData {
  /** PyTorch's name of the module. */
  readonly name: string;
  readonly op: string;
  /** Names of layers before it, or IMAGE. Default: the layer before, or the image. */
  readonly inputs?: readonly string[];
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** The image's name in `inputs`. */
export const IMAGE = 'input';

/** A layer with explicit inputs. */
export type Spelt = LayerData & { readonly inputs: readonly string[] };

/** The same layers with explicit inputs. */
export const spellOut = (layers: readonly LayerData[]): Spelt[] =>
  layers.map((layer, i) => ({ ...layer, inputs: layer.inputs ?? [i === 0 ? IMAGE : layers[i - 1].name] }));

/** The same layers without inputs that equal the default. */
export const shorten = (layers: readonly Spelt[]): LayerData[] =>
  layers.map(({ inputs, ...layer }, i) => {
    const before = i === 0 ? IMAGE : layers[i - 1].name;
    return inputs.length === 1 && inputs[0] === before ? layer : { ...layer, inputs };
  });

/** The index of a name in the list; -1 for the image and for unknown names. */
export const placeOf = (layers: readonly LayerData[], name: string): number =>
  layers.findIndex((layer) => layer.name === name);
