/**
 * Functions of one number as layers. Each is a file in activation/, whose exports are loaded where they are needed: the
 * default with the engine, `about` with the texts of layers, `formats` when a network is written or read, `reference` and
 * `tolerance` where kernels are compared. The kernels are in shaders/activation/<name>.wgsl, with the functions
 * `activation` and `slope`.
 */
import type { About, LayerGroup } from './about.ts';
import type { AttributeSpecs, ValuesOf } from './attributes.ts';
import type * as formats from './formats.ts';
import type * as layer from './layer.ts';
import type * as onnx from './onnx.ts';
import type * as tfjs from './tfjs.ts';

/** A function of one number and its slope, in float64. */
export interface Elementwise {
  value(x: number): number;
  slope(x: number): number;
}

/** The default export. */
export interface Activation<A extends AttributeSpecs = AttributeSpecs> {
  /** For display: "Leaky ReLU". */
  readonly title: string;
  readonly attributes?: A;
  /** Constants of the shader file. Default: the attributes, NEGATIVE_SLOPE for negativeSlope. */
  constants?(attributes: ValuesOf<A>): Readonly<Record<string, number | boolean>>;
}

/** The export `reference`: the function in float64 that kernels are compared with. */
export type ActivationReference<A extends AttributeSpecs = AttributeSpecs> = (
  attributes: ValuesOf<A>,
) => Elementwise;

/** The export `tolerance`: the error that kernels may have, for each value separately. */
export interface Tolerance<A extends AttributeSpecs = AttributeSpecs> {
  /** Relative to the expected value. */
  relative: number;
  /** Allowed however small the value is. Default: the smallest normal float32. */
  absolute?: number;
  /**
   * Near its limit, the function behaves like the exponential of this many times |x|, for which WGSL allows 2 units in
   * the last place for each 1 of its argument: https://www.w3.org/TR/WGSL/#concrete-float-accuracy
   */
  exponent?(attributes: ValuesOf<A>): number;
}

/** The export `about`. */
export interface ActivationAbout extends Pick<About, 'everyday' | 'explanation' | 'attributes' | 'stem'> {
  /** Default: Activation. */
  group?: LayerGroup;
}

/** The export `formats`, a function of what it needs, so that nothing of that is loaded with the engine. */
export type ActivationFormats = (
  kit: typeof formats & typeof layer & typeof onnx & typeof tfjs,
) => Omit<formats.Formats, 'op'>;
