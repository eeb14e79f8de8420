/** The camera, for pictures that stay on this page. */

/** Asks the person for the camera. @throws what `whyNoCamera` explains */
export function openCamera(): Promise<MediaStream> {
  // Absent on pages that were not loaded over HTTPS. https://developer.mozilla.org/docs/Web/API/MediaDevices
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices) throw new DOMException('', isSecureContext ? 'NotSupportedError' : 'SecurityError');
  return devices.getUserMedia({ video: { width: { ideal: 640 }, height: { ideal: 480 } }, audio: false });
}

/** Releases the camera. */
export function stopCamera(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** Why the camera could not be opened, for people. */
export function whyNoCamera(error: unknown): string {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
      return 'Camera access is blocked. Allow it from the address bar.';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'No camera found. Connect one, or upload an image.';
    case 'NotReadableError':
      return 'The camera is in use by another app.';
    case 'NotSupportedError':
      return 'This browser has no camera access. Use Upload instead.';
    case 'SecurityError':
      return 'Browsers allow camera access only over HTTPS.';
    default:
      return `The camera could not be opened: ${error instanceof Error ? error.message : String(error)}`;
  }
}
