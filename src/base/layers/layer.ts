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

/** What `inputs` calls the image. */
export const IMAGE = 'input';

/** A layer that says what it takes. */
export type Spelt = LayerData & { readonly inputs: readonly string[] };

/** The same layers, each saying what it takes. */
export const spellOut = (layers: readonly LayerData[]): Spelt[] =>
  layers.map((layer, i) => ({ ...layer, inputs: layer.inputs ?? [i === 0 ? IMAGE : layers[i - 1].name] }));

/** The same layers, without the inputs that go without saying. */
export const shorten = (layers: readonly Spelt[]): LayerData[] =>
  layers.map(({ inputs, ...layer }, i) => {
    const before = i === 0 ? IMAGE : layers[i - 1].name;
    return inputs.length === 1 && inputs[0] === before ? layer : { ...layer, inputs };
  });

/** Where in the list a name is; -1 for the image and for names that are not there. */
export const placeOf = (layers: readonly LayerData[], name: string): number =>
  layers.findIndex((layer) => layer.name === name);
