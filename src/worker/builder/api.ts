/** The worker's API for the Build screen: types only. */
import type { LayerData } from '../../base/layers/layer.ts';
import type { Shape } from '../../base/shape.ts';
import type { ConvProblem } from '../../engine/ops/conv/problem.ts';
import type { Model } from '../../models/model.ts';
import type { AttributeAbout, LayerGroup } from '../../ops/about.ts';
import type { AttributeSpec } from '../../ops/attributes.ts';

declare module '../api.ts' {
  interface Parts {
    builder: { calls: BuildApi; events: never };
  }
}

/** A model as users build and share it: perhaps incomplete, or saved by another version of this program. */
export interface ModelFile extends Omit<Model, 'layers' | 'weightsInit'> {
  weightsInit?: string;
  layers: readonly LayerData[];
}

/** The name of a registered model, or a model itself. */
export type ModelChoice = string | ModelFile;

/** One attribute of a layer, with its texts. New layers get `initial`; without one, the default applies. */
export type LayerAttribute = { name: string } & AttributeSpec & AttributeAbout;

/** One type of layer in the palette. */
export interface LayerKind {
  /** The op's name. */
  op: string;
  /** For display: "Convolution". */
  title: string;
  group: LayerGroup;
  /** What it does, in one or two sentences for learners. */
  /** In everyday words. */
  everyday: string;
  explanation: string;
  /** The stem of new layers' names: "conv" for conv1, conv2 ... */
  stem: string;
  /** It has several inputs. */
  joins: boolean;
  attributes: readonly LayerAttribute[];
}

export interface BuildCatalogue {
  kinds: LayerKind[];
  /** Every registered model, to start from. */
  presets: ModelFile[];
}

/** The known properties of a layer; shapes are for one image. */
export interface LayerDescription {
  inputs?: readonly Shape[];
  /** Absent if unknown. */
  output?: Shape;
  parameters: { name: string; shape: Shape }[];
  /** Multiply-accumulate operations of the forward pass per image, of convolutions and fully connected layers. */
  multiplyAdds: number;
  /** Bytes of its output per image, saved for the backward pass; 0 for views. */
  activationBytes: number;
  /** A convolution's sizes at batch size 1, for the Lab. */
  problem?: ConvProblem;
}

/** A change that removes an error. */
export interface ModelFix {
  /** "Insert a flatten layer" */
  title: string;
  /** The model's layers with the change. */
  layers: readonly LayerData[];
}

export interface ModelError {
  /** The layer's index; -1 for a model without layers. */
  layer: number;
  /** Names of the inputs that do not match. */
  inputs?: readonly string[];
  /** The invalid attribute. */
  attribute?: string;
  /** The network is valid so far, but does not end as a classifier. */
  incomplete: boolean;
  message: string;
  advice?: string;
  fixes: ModelFix[];
}

export interface ModelDescription {
  layers: LayerDescription[];
  errors: ModelError[];
}

export type CodeLanguage = 'pytorch' | 'keras' | 'json';

/** A model's predictions for a batch with batch norm folded into other layers, and without. */
export interface FoldReport {
  /** The training step of the model. */
  step: number;
  /** Layers that are folded into others. */
  layers: number;
  batchSize: number;
  /** Milliseconds per batch, median. */
  plainMs: number;
  foldedMs: number;
  /** Largest difference of the logits, relative to the largest logit. */
  difference: number;
}

export interface BuildApi {
  buildCatalogue(): BuildCatalogue;
  /** Shapes, costs and errors of a model, complete or not. */
  describeModel(model: ModelFile): ModelDescription;
  /** A valid model as a program, or as a file. */
  modelCode(model: ModelFile, language: CodeLanguage): string;
  /** Reads a model file; a failure says where the error is. @param name the file's, for messages */
  readModel(name: string, text: string): ModelFile;
  /** Measures the run's current model. Training pauses until it is done. */
  foldModel(): FoldReport;
}
