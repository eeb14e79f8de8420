/** The texts of images that come to the pad from files and the camera. */
const english = {
  unavailable: 'Camera unavailable',
  preview: 'Camera preview',
  hold: 'Hold something up to the camera. Images stay on your device.',
  allow: 'Allow camera access in your browser. Images stay on your device.',
  take: 'Take picture',
  cancel: 'Cancel',
  fromCamera: 'From the camera',
  inverted: (origin: string) => `${origin}, inverted`,
  notImage: (type: string) =>
    `Expected an image file, found ${type === '' ? 'a file of unknown type' : type}.`,
  formats: 'PNG, JPEG, WebP, GIF and AVIF work in most browsers.',
  unreadable: (reason: string) => `This image cannot be read. It ${reason}.`,
  damaged: 'is damaged',
  unsupported: 'is damaged or in an unsupported format',
  saveAs: 'Save it as PNG or JPEG and try again.',
};

export type PadTexts = typeof english;

export default english;
