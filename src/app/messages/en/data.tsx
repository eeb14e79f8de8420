/** The texts of the dialogs about data: the images of a set, own pictures, and the browser's storage. */
import { formsOf } from '../forms.ts';

const { count, many } = formsOf('en');

const english = {
  gallery: {
    title: 'Images',
    explanation: 'Select an image to put it on the pad and see its prediction.',
    split: 'Split',
    training: (images: number) => `Training (${count(images)})`,
    test: (images: number) => `Test (${count(images)})`,
    augmentation: 'Original or augmented images',
    original: 'Original',
    augmented: 'Augmented',
    notAugmented: 'No augmentation is set.',
    which: 'All images, or mistakes',
    all: 'All',
    mistakes: 'Mistakes',
    untested: 'Train on this data set first. Mistakes are known after the first test.',
    images: (images: number) => many(images, { one: 'image', other: 'images' }),
    mistaken: (images: number) =>
      `${many(images, { one: 'mistake', other: 'mistakes' })} of the current model, highest confidence first`,
    classes: 'Class',
    find: 'Find a class',
    noClass: 'No class has this name.',
    showMore: 'Show more',
  },
  pictures: {
    title: 'Your own pictures',
    explanation:
      'Add pictures to each class, and train a model that tells them apart. Pictures stay on your device.',
    resize: 'Resize to',
    startFrom: 'Start from',
    random: 'Random weights',
    pasted: 'The pasted file',
    locked: 'The open run uses your images. Stop the run first.',
    making: 'The data set is being created.',
    creating: 'Creating the data set…',
    use: (pictures: number) => `Use ${many(pictures, { one: 'picture', other: 'pictures' })}`,
    failed: 'These pictures cannot be used',
    unreadable: (file: string) => `${file} cannot be read`,
    notAnImage: 'It is not an image, or its format is not supported by this browser. Use PNG or JPEG.',
    addClass: 'Add a class',
    preview: 'Camera preview',
    allow: 'Allow camera access in your browser.',
    turnOn: 'Turn on camera',
    hold: 'Hold down the button of a class and move the object: the camera takes ten pictures per second.',
    orFiles: 'Or add files to a class, or paste images into the highlighted one.',
    nameOf: (name: string) => `Name of ${name}`,
    count: (pictures: number) => many(pictures, { one: 'picture', other: 'pictures' }),
    clear: 'Clear',
    remove: 'Remove',
    filesOf: (name: string) => `Pictures of ${name}`,
    addFiles: 'Add files',
    cameraFirst: 'Turn on the camera first.',
    taking: 'Taking pictures…',
    holdToTake: 'Hold to take pictures',
    /** After either of these, for screen readers. */
    of: (name: string) => ` of ${name}`,
  },
  storage: {
    title: 'Browser storage',
    explanation: 'Data sets that this browser has saved for your next visit.',
    refused: 'The browser refused',
    measuring: 'Measuring…',
    none: 'No data set is saved. Built-in ones use no storage.',
    others: (bytes: string) => `Saved runs, weights and the page itself use another ${bytes}. `,
    quota: (bytes: string) => `The browser allows ${bytes} in total.`,
    runs: (
      <>
        Runs are deleted on the <a href="#/runs">Runs</a> screen.
      </>
    ),
    keep: 'Keep them',
    used: 'The open run uses it. Stop the run first.',
    removeForGood: 'Remove for good',
    remove: 'Remove',
  },
};

export type DataTexts = typeof english;

export default english;
