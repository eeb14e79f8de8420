/** The formats that a trained network can be written in. */
import type { DatasetInfo } from '../data/dataset.ts';
import { writeSafetensors } from '../data/formats/safetensors.ts';
import { kerasCode, kerasLoader } from '../models/code/keras.ts';
import { weightsMetadata, type Trained } from '../models/file/weights.ts';
import { toJson } from '../models/file/write.ts';
import type { Checkpoint } from '../train/checkpoint.ts';

/** Files by their name. */
export type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** What an export takes besides the network. */
export interface ExportContext {
  /** The run that trained it, for formats that train on. */
  run?: Checkpoint | undefined;
  /** On how many images its accuracy was measured; default all test images of its data set, if that is built in. */
  testImages?: number | undefined;
  /** The files of its data set, if they are to be part of the export. */
  data?: Files | undefined;
  /** What those files are, if its images are the user's own. */
  own?: DatasetInfo | undefined;
  /** Called with what the format cannot carry over, one sentence each. */
  note?: (message: string) => void;
  /**
   * The normalisation, where it is known, is part of the network, which then takes pixels in [0, 1]: of formats with
   * `normalises`. Default true.
   */
  normalise?: boolean;
}

export interface Exporter {
  /** For display: "ONNX". */
  title: string;
  /** What it is for, as one sentence. */
  summary: string;
  /** It is for training on, so batch norm cannot be folded. */
  trains?: true;
  /** The normalisation can be part of the network. */
  normalises?: true;
  /** `file`: the first file is the export, others lie beside it. `folder`: they need a folder, or a zip. */
  kind: 'file' | 'folder';
  /** @param name for files, without an extension */
  write(trained: Trained, name: string, context?: ExportContext): Promise<Files>;
}

const text = (words: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(words);

const weightsOf = ({ model, parameters, info }: Trained): Uint8Array<ArrayBuffer> =>
  writeSafetensors(parameters, weightsMetadata({ ...info, model }));

/** By the name that `export --to` takes. Large ones are loaded when they are used. */
export const EXPORTERS = {
  safetensors: {
    title: 'safetensors',
    summary: 'Weights under PyTorch’s names, with the model that reads them.',
    kind: 'file',
    write: async (trained, name) =>
      new Map([
        [`${name}.safetensors`, weightsOf(trained)],
        [`${name}.json`, text(toJson(trained.model))],
      ]),
  },
  onnx: {
    title: 'ONNX',
    summary: 'One file for ONNX Runtime and most other programs, for any batch size.',
    kind: 'file',
    normalises: true,
    write: async (trained, name, context) => {
      const { toOnnx } = await import('./onnx/write.ts');
      return new Map([[`${name}.onnx`, toOnnx(trained, context)]]);
    },
  },
  tfjs: {
    title: 'TensorFlow.js',
    summary: 'A layers model for web pages: model.json and its weights, for tf.loadLayersModel.',
    kind: 'folder',
    normalises: true,
    write: async (trained, _, context) => {
      const { toTfjs } = await import('./tfjs/write.ts');
      return toTfjs(trained, context);
    },
  },
  keras: {
    title: 'Keras',
    summary: 'The model as Keras source, its weights, and a script that loads them.',
    kind: 'folder',
    write: async (trained, name) =>
      new Map([
        ['model.py', text(kerasCode(trained.model))],
        [
          'load_weights.py',
          text(kerasLoader(trained.model, `${name}.safetensors`, trained.info.normalisation)),
        ],
        [`${name}.safetensors`, weightsOf(trained)],
      ]),
  },
  pytorch: {
    title: 'PyTorch',
    summary: 'A project of plain scripts that continues training from these weights, on one GPU or many.',
    trains: true,
    kind: 'folder',
    write: async (trained, _name, context = {}) => {
      const { pytorchProject } = await import('./pytorch/project/index.ts');
      return pytorchProject(trained, context);
    },
  },
  notebook: {
    title: 'Notebook',
    summary: 'The PyTorch project as one Jupyter notebook, for Colab, Kaggle and the like.',
    trains: true,
    kind: 'file',
    write: async (trained, name, context = {}) => {
      const { toNotebook } = await import('./pytorch/notebook.ts');
      return toNotebook(trained, name, context);
    },
  },
  hub: {
    title: 'Hugging Face',
    summary: 'A folder to push to the Hub: model card, weights, configuration, and how to load them.',
    kind: 'folder',
    write: async (trained, _name, context = {}) => {
      const { toHub } = await import('./hub.ts');
      return toHub(trained, context);
    },
  },
  html: {
    title: 'Web page',
    summary: 'One self-contained HTML file that predicts offline, from a drawing or a picture.',
    kind: 'file',
    write: async ({ info, ...network }, name, { run, testImages } = {}) => {
      const { toHtml } = await import('./html/write.ts');
      const testAccuracy = info.testAccuracy ?? run?.history.evaluations.at(-1)?.testAccuracy;
      const known = { ...info, ...(testAccuracy === undefined ? {} : { testAccuracy }) };
      return new Map([[`${name}.html`, text(await toHtml({ ...network, info: known }, testImages))]]);
    },
  },
} satisfies Record<string, Exporter>;

export type ExportFormat = keyof typeof EXPORTERS;
