/** The texts of what is passed on: links, the picture of a run, and cards in other pages. */
import { formsOf } from '../forms.ts';
import { inLanguage } from '../language.ts';

const { count, many } = formsOf('en');

export const share = inLanguage('share', {
  link: {
    damaged: 'the model in the link is corrupted or incomplete',
    model: 'Model',
    useless: 'This link contains no valid settings',
    some: 'This link contains settings, some of them invalid',
    offered: 'This link contains settings',
    apply: 'Apply settings',
    keep: 'Keep my settings',
    others: 'All other settings use their defaults.',
    defaults: 'All settings use their defaults.',
    startsLater: 'Training starts only when you select Train.',
    runKeeps: 'The current run keeps its settings.',
    taken: 'Settings taken from the link',
    undo: 'Undo',
  },
  /** Cards that other pages can show. */
  cards: {
    pad: 'Draw a digit',
    loss: 'Train, and watch the loss',
    accuracy: 'Train, and watch the accuracy',
    filters: 'Train, and watch the filters',
    mistakes: 'Train, and look at the mistakes',
    network: 'Watch the network at work',
    inspect: 'Look inside the network',
  },
  dialog: {
    open: 'Share…',
    title: 'Share',
    ofRun: (name: string) => `The run ${name} with its settings.`,
    ofSettings: 'The settings on Train. After a run there is a picture of it, too.',
    link: 'Link',
    linkAbout: 'Opens wgrad with these settings. Nothing starts by itself.',
    localLink:
      'Opens wgrad with these settings, on this computer alone: its address is not one of the internet.',
    copy: (what: string) => `Copy ${what.toLowerCase()}`,
    copied: 'Copied.',
    notCopied: 'Could not copy. Select the text and copy it.',
    picture: 'Picture',
    pictureAlt: 'The run’s loss, confusion matrix, filters and settings',
    pictureTitle: (name: string) => `A network that I trained: ${name}`,
    drawing: 'The picture is being drawn.',
    copyPicture: 'Copy picture',
    pictureNotCopied: 'Could not copy the picture. Download it instead.',
    download: 'Download',
    pass: 'Share…',
    embed: 'Embed',
    embedAbout:
      'A card of wgrad in a page of yours. It stores nothing, and trains only when somebody asks it to.',
    card: 'Card',
    snippet: 'HTML',
  },
  /** On the picture of a run. */
  picture: {
    title: (model: string, dataset: string) => `${model} on ${dataset}`,
    accuracy: (images: number | undefined, epoch: number, best: string | undefined) =>
      `of ${images === undefined ? 'the test images' : `${count(images)} test images`}, last test (epoch ${count(epoch)})` +
      (best === undefined ? '' : `; best ${best}`),
    time: 'of training',
    steps: (step: number, epoch: number) =>
      `${step === 1 ? 'step' : 'steps'}, ${many(epoch, { one: 'epoch', other: 'epochs' })}`,
    step: 'step',
    loss: 'training loss',
    filters: 'What its first layer looks for',
    matrix: 'True digit or class (rows), as predicted (columns)',
    digit: 'My own drawing is',
    sure: (probability: string) => `${probability} sure`,
  },
  embed: {
    open: 'Open in wgrad',
    keepsNothing: 'Runs in this page. Nothing is stored or sent.',
    oneThread: 'Computed on one thread of the processor.',
    whyOneThread: 'A page in a frame may not share memory between threads: in wgrad itself this is faster.',
    unknown: 'Unknown card',
    expected: (card: string) =>
      `Expected a card in the address, such as ?card=pad; found ${card === '' ? 'none' : `“${card}”`}. These are the cards:`,
  },
});
