/** Decodes a picture with the browser's decoder, rotated upright. */
import type { Picture } from '../../data/own/resize.ts';

/** @throws Error if it is damaged or of an unsupported format */
export async function decodePicture(bytes: Uint8Array): Promise<Picture> {
  const bitmap = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]));
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
