/** The texts of the dialogs about data: the images of a set, own pictures, and the browser's storage. */
import type { ReactNode } from 'react';
import { formsOf } from '../forms.ts';
import { inLanguage } from '../language.ts';

const { count, many } = formsOf('en');

const LISTED = 12;
const shortList = (items: readonly string[]): string =>
  items.slice(0, LISTED).join(', ') +
  (items.length > LISTED ? `, and ${count(items.length - LISTED)} more` : '');

export const data = inLanguage('data', {
  drawer: {
    title: 'Data',
    datasets: 'Data set',
    loading: 'Loading data sets…',
    loadingImages: 'Loading images…',
    noImages: 'Sample images appear here once downloaded.',
    resample: 'Resample',
    notSaved: (why: string) => `Ready, but not saved for your next visit: ${why}`,
    counts: (training: number, test: number) =>
      `${count(training)} training and ${many(test, { one: 'test image', other: 'test images' })}, `,
    selected: (trained: number, held: number, wrong: number) =>
      [
        `With your settings, a run trains on ${many(trained, { one: 'image', other: 'images' })}`,
        ...(held > 0 ? [`${count(held)} are held back for validation`] : []),
        ...(wrong > 0 ? [`${count(wrong)} of those it trains on have wrong labels`] : []),
      ].join(', ') + '.',
    licence: (licence: string) => `Licence: ${licence}`,
    notDownloaded: (title: string) => `${title} is not downloaded yet.`,
    browseTitle: 'Look at all images, by class.',
    browse: 'Browse images',
    storageTitle: 'See how much storage the saved data sets use, and remove them.',
  },
  obtain: {
    downloading: 'Downloading',
    download: (size?: string) => (size === undefined ? 'Download' : `Download (${size})`),
    retry: (size?: string) => (size === undefined ? 'Retry download' : `Retry download (${size})`),
    notImported: 'Could not import these files',
    byHand: (files: string | undefined, size: string, link: ReactNode) => (
      <>
        This data set cannot be downloaded from here. Get {files ?? 'its files'} ({size}) from {link} and drop
        it here.
      </>
    ),
    checkServer: 'Check this server',
    notHere: 'Not available on this server',
    checksum: 'Checksum mismatch',
    checksumAdvice: 'The file was discarded. Download it again, or import the files from a source you trust.',
    failed: 'Download failed',
    failedAdvice: 'Check your connection and try again, or import the files below.',
    noStorage: 'Not enough browser storage',
    noStorageAdvice:
      'Remove data sets that you no longer need, free up disk space, or leave private browsing. Then try again.',
    unreadable: 'Could not read the data',
    details: 'Details',
    of: (done: string, total: string) => `${done} of ${total}`,
    cancel: 'Cancel',
    dropArchive: 'Drop the archive or its files here (gzip is fine):',
    drop: 'Or drop the files here (gzip is fine):',
    filesOf: (title: string) => `Files of ${title}`,
    checkingFiles: 'The files are being checked.',
    checking: 'Checking the files…',
    choose: 'Choose files',
  },
  own: {
    severalFolders: 'several folders',
    reading: 'Reading images',
    failed: 'Could not import these images',
    gone: 'Your images are no longer available',
    take: 'Take pictures by class',
    drop: (again: boolean) =>
      `Drop labelled images${again ? ' to replace these' : ''}: a folder with one subfolder per class, an archive (zip, tar.gz), ` +
      'or arrays (npz, csv, IDX, Parquet). Images stay on your device. Only the square in the middle of each is used.',
    folderLabel: 'Folder of images',
    folder: 'Choose a folder',
    looking: 'Looking at the files…',
    zipLabel: 'Files of images',
    zip: 'Choose files',
    imported: (images: number, classes: number) =>
      `${many(images, { one: 'image', other: 'images' })} in ${many(classes, { one: 'class', other: 'classes' })}`,
    skipped: (skipped: number) =>
      `${many(skipped, { one: 'file was', other: 'files were' })} left out: which, and why`,
    more: (more: number) => `and ${count(more)} more`,
  },
  found: {
    title: (from: string) => `Found in ${from}`,
    labels: 'Labels from',
    choose: 'Choose where the labels come from',
    reading: (from: string, classes: readonly string[]) => `${from}: ${shortList(classes)}`,
    classes: (counts: readonly (readonly [name: string, images: number])[]) =>
      `${many(counts.length, { one: 'class', other: 'classes' })}: ` +
      shortList(counts.map(([name, images]) => `${name} (${count(images)})`)),
    from: (from: string) => `Labels come from ${from}.`,
    assumed: (what: string) => `Assumed: ${what}. The pictures below show it.`,
    part: (name: string, images: number, unlabelled: number) =>
      `${name}: ${many(images, { one: 'image', other: 'images' })}` +
      (unlabelled > 0 ? `, ${count(unlabelled)} without a label` : ''),
    roles: { train: 'Train on them', test: 'Test on them', unused: 'Leave them out' },
    damaged: 'An image that turns out to be damaged is left out.',
    heldOut: 'A fifth of each class is kept for the test.',
    skipped: (files: number) => `${many(files, { one: 'file is', other: 'files are' })} not used.`,
    use: 'Use these images',
    cancel: 'Cancel',
  },
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
    ofTraining: (index: number, label: string) => `Training image ${count(index)}: ${label}`,
    ofTest: (index: number, label: string) => `Test image ${count(index)}: ${label}`,
  },
  pictures: {
    title: 'Your own pictures',
    explanation:
      'Add pictures to each class, and train a model that tells them apart. Pictures stay on your device.',
    resize: 'Resize to',
    sizes: { colour: '32 × 32, colour', grey: '28 × 28, grey' },
    newClass: (number: number) => `Class ${number}`,
    twoClasses: 'Add pictures to at least two classes.',
    tooFew: (name: string, least: number) =>
      `${name} needs at least ${least} pictures: one to train on, one to test on.`,
    unnamed: 'Name each class.',
    sameName: (name: string) => `Two classes are named ${name}. Rename one.`,
    noPicture: 'the camera has no picture yet',
    noMemory: 'the browser has not enough memory for a picture',
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
});
