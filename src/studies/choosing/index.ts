/** Choosing a convolution algorithm from the layer's configuration, without trying any. */
import type { Column, Study } from '../study.ts';
import { measure } from './measure.ts';
import { PRECISIONS, RULES, SMALL, VERY_LARGE } from './rules.ts';

/** Columns of several tables. */
const NETWORK: Column = { name: 'network', title: 'Network', key: true };
const PRECISION: Column = { name: 'precision', title: 'Precision', key: true };
const RULE_LOSS: Column = { name: 'rule_loss', title: 'Rule loses', unit: 'loss' };
const GET_LOSS: Column = { name: 'get_loss', title: 'Prediction loses', unit: 'loss' };

const study: Study = {
  name: 'choosing',
  order: 4,
  title: 'Choosing an algorithm without searching',
  short: 'Choosing',
  question:
    'Does a layer’s configuration alone tell which convolution algorithm is fastest, without trying all of them?',
  summary: [
    'The thesis set out to make a training framework choose the convolution algorithm from the layer’s configuration, and to measure the gain on VGG19, GoogLeNet, ResNet-50, SqueezeNet and AlexNet. It was not finished: compile times, data layouts and debugging got in the way.',
    'The study that it builds on gives rules, mostly by filter size and number of inputs. Here, the rules and wgrad’s own prediction are compared with a search on your machine, layer by layer. Then the five networks train a step with the default algorithm, the predicted ones, and those found by the search.',
  ],
  source: {
    title: 'Choosing the convolution algorithm, BSC and UPC',
    kind: 'Thesis',
    authors: 'A. Boza i Dieguez',
    date: 'October 2019',
    numbers: 'It has rules, and no table of times.',
    hardware:
      'NVIDIA Volta with cuDNN, for the rules. The thesis’s training times are not recorded here, so the networks have no published times to compare with.',
    further:
      'Jordà, Valero-Lara and Peña, “Performance evaluation of cuDNN convolution algorithms on NVIDIA Volta GPUs” (2019)',
  },
  sizes: {
    small: 'layers of three sizes in SqueezeNet, images of 32 × 32, batch 1',
    full: 'every layer of five networks as published, 224 × 224, batch 16 or what fits; on CPUs, their variants for 32 × 32 and batch 2. Takes minutes',
  },
  method: [
    'A search (find) verifies and times the likely variants of every algorithm. “Wins here” is the fastest. The loss of a rule or prediction is the time of its choice divided by the fastest time, minus one.',
    'A rule names a family: GEMM is implicit GEMM, im2col or the 1x1 multiplication, FFT is of the whole image or of tiles, and Winograd is any tile. The fastest of the family counts.',
    `The source gives no numbers for “very large” and “small” images. Here they mean at least ${VERY_LARGE} and at most ${SMALL} pixels. It has no rule for 7x7 and 11x11 filters.`,
    'Layers are forward passes. Layers of one network with equal sizes are measured once.',
    'A step is timed by the wall clock: whole training steps in a row, with SGD on synthetic images. Its convolutions use the default algorithm (implicit GEMM), the predicted ones (get), or those found by a search in all three directions. Problems that make up nine tenths of the arithmetic are searched, the rest is predicted.',
    'float16 is measured for the forward pass, on devices that support it in shaders.',
    'Unlike in the paper, GoogLeNet has batch normalisation and no auxiliary classifiers. The convolutions of ResNet-50, VGG19, GoogLeNet and SqueezeNet are those of the papers; AlexNet’s are those of its single-GPU version.',
  ],
  published: [],
  figures: [
    {
      kind: 'table',
      name: 'rules',
      title: 'The rules',
      explanation:
        'The study’s rules, and in how many of the layers below the rule’s family wins here. A loss is the time beyond that of the winner.',
      columns: [
        PRECISION,
        { name: 'filter', title: 'Filter', key: true },
        { name: 'images', title: 'Images', key: true },
        { name: 'rule', title: 'Published rule', published: true },
        { name: 'layers', title: 'Layers here', unit: 'count' },
        { name: 'right', title: 'It wins in', unit: 'count' },
        { name: 'loss', title: 'Mean loss by the rule', unit: 'loss' },
        { ...GET_LOSS, title: 'Mean loss by prediction' },
      ],
      given: RULES.map(({ number, filter, images, choice }) => ({
        precision: PRECISIONS[number],
        filter: `${filter}x${filter}`,
        images,
        rule: choice,
      })),
    },
    {
      kind: 'bars',
      name: 'steps',
      title: 'Training steps of the five networks',
      explanation:
        'One step with the default algorithm everywhere, with the predicted ones, and with those found by the search.',
      base: 'base',
      bars: [
        { name: 'base', look: 'implicit_gemm' },
        { name: 'predicted', look: 'winograd_f4x3' },
        { name: 'tuned', look: 'fft' },
      ],
    },
    {
      kind: 'table',
      name: 'networks',
      title: 'The five networks',
      explanation: 'The same times in one table, with the cost of the search.',
      columns: [
        NETWORK,
        { name: 'images', title: 'Images' },
        { name: 'batch', title: 'Batch', unit: 'count' },
        { name: 'convolutions', title: 'Convolutions', unit: 'count', wide: true },
        { name: 'base', title: 'Base', unit: 'ms' },
        { name: 'predicted', title: 'Predicted', unit: 'ms' },
        { name: 'tuned', title: 'Tuned', unit: 'ms' },
        { name: 'gain', title: 'Speed-up by prediction', unit: 'ratio' },
        { name: 'search', title: 'Search', unit: 'ms', wide: true },
        { name: 'note', title: 'Note', wide: true },
      ],
    },
    {
      kind: 'table',
      name: 'totals',
      title: 'All layers of a network',
      explanation:
        'The forward pass of all convolutions together: by the rules, by prediction, and with the winners.',
      columns: [
        NETWORK,
        PRECISION,
        { name: 'layers', title: 'Layers', unit: 'count' },
        { name: 'rule', title: 'By the rules', unit: 'ms' },
        { name: 'get', title: 'Predicted', unit: 'ms' },
        { name: 'best', title: 'Searched', unit: 'ms' },
        RULE_LOSS,
        GET_LOSS,
      ],
    },
    {
      kind: 'table',
      name: 'layers',
      title: 'Every layer',
      explanation: 'The rule’s choice, the predicted one, the winner here, and what each choice loses.',
      columns: [
        NETWORK,
        { name: 'layer', title: 'Layer', key: true },
        PRECISION,
        { name: 'sizes', title: 'Sizes', wide: true },
        { name: 'count', title: 'Layers', unit: 'count', wide: true },
        { name: 'rule', title: 'Rule', published: true },
        { name: 'get', title: 'Predicted' },
        { name: 'wins', title: 'Wins here' },
        { name: 'best', title: 'Its time', unit: 'ms' },
        RULE_LOSS,
        GET_LOSS,
      ],
    },
  ],
  resumes: true,
  run: measure,
};

export default study;
