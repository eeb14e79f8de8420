/** Decodes a picture by the browser, the right way up. */
import type { Picture } from '../../data/own/resize.ts';

/** @throws Error if it is damaged, or of a kind that the browser does not know */
export async function decodePicture(bytes: Uint8Array): Promise<Picture> {
  const bitmap = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  try {
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error(`the browser has no room for ${width} x ${height} pixels`);
    context.drawImage(bitmap, 0, 0);
    return { width, height, data: context.getImageData(0, 0, width, height).data };
  } finally {
    bitmap.close();
  }
}
