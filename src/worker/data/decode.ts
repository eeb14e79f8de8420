/** Decodes a picture with the browser's decoder, rotated upright; PNG by the decoder of the command line. */
import type { PictureHeader } from '../../base/picture.ts';
import { decodePng } from '../../data/formats/png.ts';
import { upright, type Picture } from '../../base/pixels/resize.ts';

/** @throws Error if it is damaged or of an unsupported format */
export async function decodePicture(
  bytes: Uint8Array,
  { kind, orientation }: Pick<PictureHeader, 'kind' | 'orientation'>,
): Promise<Picture> {
  if (kind === 'PNG') return upright(await decodePng('is damaged', bytes), orientation);
  // Colour profiles are not applied, as on the command line.
  const bitmap = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]), {
    colorSpaceConversion: 'none',
  });
  try {
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error(`the browser has not enough memory for ${width} x ${height} pixels`);
    context.drawImage(bitmap, 0, 0);
    return { width, height, data: context.getImageData(0, 0, width, height).data };
  } finally {
    bitmap.close();
  }
}
