/** Changes of shape and of type that are no layer. */
import { TensorProto_DataType as Type } from 'onnx-buf';
import { reshapedTo, wholeOf } from '../../../ops/onnx.ts';
import { IMAGES } from '../../draft.ts';
import { isReal } from '../tensors.ts';
import { passOn, type Reader, type Readers } from './reader.ts';

/** The batch size is not known. */
const shown = (size: number): string => (Number.isNaN(size) ? 'N' : `${size}`);

/** Pixels in rows or a vector become images. */
const reshape: Reader = (network, node) => {
  const [, ...sizes] = reshapedTo(network, node);
  const images = network.shapeOf(IMAGES);
  const isImages = sizes.length === images.length && images.every((size, i) => [size, -1].includes(sizes[i]));
  if (!network.readsPixels(node) || !isImages)
    throw network.unsupported(
      node,
      `wgrad has no layer that changes the shape to [${reshapedTo(network, node).slice(0, 9).map(shown).join(', ')}]`,
    );
  network.define(node.output[0], { kind: 'layer', layer: network.imageSource(node) });
};

/** Numbers of other types are float32 here. */
const cast: Reader = (network, node) => {
  const type = wholeOf(node, 'to', Type.FLOAT) as Type;
  if (!isReal(type)) throw network.unsupported(node, 'wgrad has no layer that converts values to integers');
  passOn(network, node);
};

export const SHAPES: Readers = { Reshape: reshape, Identity: passOn, Cast: cast };
