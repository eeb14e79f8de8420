/** The texts of the drawer about the model: its layers, and the weights that it starts from. */
import { formsOf } from '../forms.ts';
import { inLanguage } from '../language.ts';

const { count, many } = formsOf('en');

/** What folding gained; times and numbers as text. */
interface Folded {
  layers: number;
  times: string;
  folded: string;
  plain: string;
  images: number;
  difference: string;
  step: number;
}

export const model = inLanguage('model', {
  title: 'Model',
  edit: 'Edit in Build',
  parameters: (parameters: number) => `${count(parameters)} parameters.`,
  misfit: 'This model does not fit this data set',
  layersOf: (title: string) => `Layers of ${title}`,
  image: 'Image',
  has: (parameters: number) =>
    parameters > 0 ? `has ${count(parameters)} trainable parameters.` : 'has no trainable parameters.',
  fold: {
    trainFirst: 'Train the model first.',
    title:
      'For inference, batch normalisation can be merged into the layers before it. Measure the speed-up.',
    measuring: 'Measuring…',
    name: 'Fold batch norm',
    report: ({ layers, times, folded, plain, images, difference, step }: Folded) =>
      `${layers} batch norm layers folded: inference ${times} as fast, ${folded} instead of ${plain} ` +
      `for ${images} images. Outputs differ by at most ${difference} (relative), at step ${count(step)}.`,
  },
  start: {
    label: 'Start from',
    ofRandom: 'Only a few images? Start from a trained network: it already knows edges, textures and shapes.',
    ofTrained:
      'Its layers are used as they are. If your classes are others, the last one is new. Images are normalised as in its training.',
    random: 'Random weights',
    networks: 'Trained networks',
    runs: 'Your runs',
    run: (name: string, trained: string, dataset: string, step: number) =>
      `${name}: ${trained}, ${dataset}, ${many(step, { one: 'step', other: 'steps' })}`,
    failed: 'These weights cannot be used',
    train: 'Train',
    extent: 'Layers to train',
    extents: { last: 'Last layer', stage: 'Last stage', all: 'All layers' },
    frozen: (layers: string) => `Frozen: ${layers}`,
  },
  match: {
    summary: (taken: number, all: number) => `This run started from ${taken} of ${all} tensors`,
    caption: 'The tensors of the model',
    tensor: 'Tensor',
    shape: 'Shape',
    result: 'Result',
    oneNumber: 'one number',
    not: (own: string, found: string) => `${own}, not ${found}`,
    status: { taken: 'loaded', 'other shape': 'new', missing: 'new', 'not in the model': 'not used' },
  },
});
