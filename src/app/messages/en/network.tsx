/** The texts of the pictures of a network, on Train and in Inspect. */
import { formsOf } from '../forms.ts';
import { inLanguage } from '../language.ts';

const { count, many } = formsOf('en');

export const network = inLanguage('network', {
  title: 'The network at work',
  image: 'Image',
  answer: 'Answer',
  keys: 'Arrow keys move from map to map; Enter opens Inspect there.',
  open: (layer: string, channel: number, isMap: boolean) =>
    `${layer}, ${isMap ? 'map' : 'value'} ${channel}: look inside`,
  openImage: 'The image: look inside',
  openScore: (name: string) => `How the score of ${name} is computed`,
  column: (layer: string, shown: number, all: number, size: string | undefined) =>
    `${layer}: ${shown < all ? `${count(shown)} of ` : ''}${
      size === undefined
        ? many(all, { one: 'value', other: 'values' })
        : `${many(all, { one: 'map', other: 'maps' })} of ${size}`
    }`,
  some: (shown: number, all: number) => `${count(shown)} of ${count(all)}`,
  /** Of layers, between two that are shown. */
  more: (layers: number) => `${count(layers)} more`,
  reading: (name: string, share: string) => `The network reads ${name}, ${share}`,
  shipped: 'A LeNet-5 trained before you came, at work on the pad.',
  afterSteps: (step: number) =>
    `Your network after ${many(step, { one: 'step', other: 'steps' })}, at work on the pad.`,
  point: 'Point at a square to see what it reads. Select it to look inside.',
  preparing: 'Your network is on its way. It starts from random weights, so it will guess at first.',
  untrained: 'Nothing flows yet: this is the network that Train starts with.',
  blank: 'The pad is empty. Draw something, and watch it travel from left to right.',
  noValue: 'No value is selected.',
  reads: (size: string, layer: string) => `, reads ${size} of ${layer}`,
  sees: (size: string, rows: string, columns: string) =>
    `, sees ${size} pixels of the image: rows ${rows}, columns ${columns}`,
  span: (from: number, to: number) => `${from} to ${to}`,
  values: (values: number) => `${count(values)} values`,
});
