/** The files of other programs that can be read as a trained network. */
import { Failure } from '../base/result.ts';
import { readSafetensors } from '../data/formats/safetensors.ts';
import { readWeightsMetadata, type WeightsInfo } from '../models/file/weights.ts';
import type { Model } from '../models/model.ts';
import type { Imported } from './imported.ts';
import type { AssumedTexts } from './inferred/assumptions.ts';

interface Importer {
  title: string;
  /** Of the file's name. */
  extension: RegExp;
  /** @throws Failure `bad-file` if it is damaged, `unsupported` with the place that wgrad has no layer for */
  read(file: string, bytes: Uint8Array<ArrayBuffer>, context: ImportContext): Promise<Imported>;
}

export interface ImportContext {
  /** The network of files that hold only weights. Absent: a registered one that fits, else one that is inferred. */
  model?: Model | undefined;
  /** What a file beside weights says of them. What they say themselves comes first. */
  known?: WeightsInfo | undefined;
  /** What is known of an inferred network. If given, no registered one is looked for. */
  assumed?: AssumedTexts | undefined;
  /** The bytes of another file in the same folder, for formats of several files; undefined if there is none. */
  beside?: (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;
}

const nothing = (): Promise<undefined> => Promise.resolve(undefined);

const IMPORTERS: readonly Importer[] = [
  {
    title: 'ONNX',
    extension: /\.onnx$/i,
    read: async (file, bytes, { beside = nothing }) => {
      const { fromOnnxFiles } = await import('./onnx/read.ts');
      return fromOnnxFiles(file, bytes, beside);
    },
  },
  {
    title: 'safetensors',
    extension: /\.safetensors$/i,
    read: async (file, bytes, context) => {
      const { fromStateDict } = await import('./state-dict.ts');
      const { tensors, metadata } = readSafetensors(file, bytes);
      const own = Object.entries(readWeightsMetadata(file, metadata)).filter(
        ([, value]) => value !== undefined,
      );
      return fromStateDict(file, tensors, { ...context.known, ...Object.fromEntries(own) }, context);
    },
  },
  {
    title: 'PyTorch',
    extension: /\.(pt|pth|ckpt)(\.tar)?$/i,
    read: async (file, bytes, context) => {
      const { fromTorch } = await import('./pytorch/import.ts');
      return fromTorch(file, bytes, context);
    },
  },
  {
    title: 'Keras',
    extension: /\.(keras|h5|hdf5)$/i,
    read: async (file, bytes) => {
      const { fromKeras } = await import('./keras/read.ts');
      return fromKeras(file, bytes);
    },
  },
  {
    title: 'TensorFlow.js',
    extension: /\.json$/i,
    read: async (file, bytes, { beside = nothing }) => {
      const { fromTfjs } = await import('./tfjs/read.ts');
      return fromTfjs(file, bytes, beside);
    },
  },
];

/** Whether a file's name says that it is a network; of JSON files, only their content says so. */
export const isNetwork = (file: string): boolean =>
  !/\.json$/i.test(file) && IMPORTERS.some(({ extension }) => extension.test(file));

/** For forms and messages: "ONNX". */
export const importable = (): string => IMPORTERS.map(({ title }) => title).join(', ');

/**
 * Reads a network by its file's name.
 * @throws Failure `bad-file` or `unsupported`, also if no importer knows the extension
 */
export async function importNetwork(
  file: string,
  bytes: Uint8Array<ArrayBuffer>,
  context: ImportContext = {},
): Promise<Imported> {
  const importer = IMPORTERS.find(({ extension }) => extension.test(file));
  if (!importer)
    throw new Failure('unsupported', `${file}: expected a file of ${importable()}, by its extension`);
  return importer.read(file, bytes, context);
}
