/** What the Build screen and the worker say to each other about models: types only. */
import type { LayerData } from '../../base/layers/layer.ts';
import type { Result } from '../../base/result.ts';
import type { Shape } from '../../base/shape.ts';
import type { ConvProblem } from '../../engine/ops/conv/problem.ts';
import type { Images, Model } from '../../models/model.ts';
import type { ModelEntry } from '../train/api.ts';

declare module '../api.ts' {
  interface Parts {
    builder: { calls: BuildApi; events: never };
  }
}

/** A model as people build and share it: perhaps unfinished, or kept by another version of this program. */
export interface ModelFile extends Omit<Model, 'layers' | 'weightsInit'> {
  weightsInit?: string;
  layers: readonly LayerData[];
}

/** A registered model by its name, or a model itself. */
export type ModelChoice = string | ModelFile;

/** What can be set of a layer. `initial` is what a new layer gets; without one its default counts. */
export type AttributeKind = {
  name: string;
  /** For people: "Filters". */
  title: string;
  /** What it does, in a few words. */
  hint: string;
} & (
  | { kind: 'whole'; least: number; initial?: number; default?: number }
  /** Two whole numbers: vertical and horizontal. `follows` names the attribute that is its default. */
  | {
      kind: 'pair';
      least: number;
      initial?: readonly [number, number];
      default?: readonly [number, number];
      follows?: string;
    }
  /** `above`: `least` itself is not allowed. */
  | { kind: 'number'; least: number; most: number; above?: true; default: number }
  | { kind: 'switch'; default: boolean }
  | { kind: 'choice'; options: readonly string[]; default: string }
);

export type LayerGroup = 'Learn' | 'Activate' | 'Shrink' | 'Normalise' | 'Join and reshape';

/** A kind of layer that models can be made of. */
export interface LayerKind {
  /** The op's name. */
  op: string;
  /** For people: "Convolution". */
  title: string;
  group: LayerGroup;
  /** What it does, in a sentence or two for learners. */
  explanation: string;
  /** What new layers are called: "conv" for conv1, conv2 ... */
  stem: string;
  /** It takes several inputs. */
  joins: boolean;
  attributes: readonly AttributeKind[];
}

export interface BuildCatalogue {
  kinds: LayerKind[];
  /** Every registered model, to begin with. */
  presets: ModelFile[];
}

/** What is known of a layer; shapes are those of one image. */
export interface LayerDescription {
  inputs?: readonly Shape[];
  /** Absent where it cannot be known. */
  output?: Shape;
  parameters: { name: string; shape: Shape }[];
  /** Products that are added up, for one image: of convolutions and fully connected layers. */
  multiplyAdds: number;
  /** What it keeps of one image until the way back. None for what has no memory of its own. */
  activationBytes: number;
  /** Of a convolution with one image, for the Lab. */
  problem?: ConvProblem;
}

/** A change that makes a mistake go away. */
export interface Mend {
  /** "Insert a flatten layer" */
  title: string;
  /** The model's layers after it. */
  layers: readonly LayerData[];
}

export interface Mistake {
  /** The layer's place; -1 for a model without any. */
  layer: number;
  /** Names of what it takes that do not fit. */
  inputs?: readonly string[];
  /** The attribute that is wrong. */
  attribute?: string;
  /** Not wrong so far, but not a whole network either. */
  unfinished: boolean;
  message: string;
  advice?: string;
  mends: Mend[];
}

export interface ModelDescription {
  layers: LayerDescription[];
  mistakes: Mistake[];
}

export type CodeLanguage = 'pytorch' | 'keras' | 'json';

/** A model's answers to a batch with batch normalisation folded into other layers, and without. */
export interface FoldReport {
  /** Steps that the model was trained for. */
  step: number;
  /** Layers that are part of others when folded. */
  layers: number;
  batchSize: number;
  /** Milliseconds a batch, median. */
  plainMs: number;
  foldedMs: number;
  /** Largest difference of the answers, over the largest answer. */
  difference: number;
}

export interface BuildApi {
  buildCatalogue(): Promise<Result<BuildCatalogue>>;
  /** Shapes, costs and mistakes all through a model, finished or not. */
  describeModel(model: ModelFile): Promise<Result<ModelDescription>>;
  /** The model as it would train on a data set; a failure says why it cannot. */
  modelFor(model: ModelChoice, images: Images): Promise<Result<ModelEntry>>;
  /** A model without mistakes as a program, or as a file. */
  modelCode(model: ModelFile, language: CodeLanguage): Promise<Result<string>>;
  /** Reads a model's file; a failure names the place of the mistake. @param name the file's, for messages */
  readModel(name: string, text: string): Promise<Result<ModelFile>>;
  /** Measures the run's model as it is now. A run that trains rests meanwhile, then goes on. */
  foldModel(): Promise<Result<FoldReport>>;
}
