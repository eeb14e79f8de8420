/** Choosing a convolution algorithm from the layer's configuration, without trying any. */
import type { Column, Study } from '../study.ts';
import { measure } from './measure.ts';
import { PRECISIONS, RULES, SMALL, VERY_LARGE } from './rules.ts';

/** Columns of several tables. */
const NETWORK: Column = { name: 'network', title: 'Network', key: true };
const PRECISION: Column = { name: 'precision', title: 'Precision', key: true };
const RULE_LOSS: Column = { name: 'rule_loss', title: 'Rule loses', unit: 'loss' };
const GET_LOSS: Column = { name: 'get_loss', title: 'get loses', unit: 'loss' };

const study: Study = {
  name: 'choosing',
  order: 4,
  title: 'Choosing an algorithm without searching',
  short: 'Choosing',
  question:
    'Can the layer’s configuration alone say which convolution algorithm is fastest, so that nobody pays for trying all?',
  summary: [
    'The thesis set out to put a kernel into a training framework that picks the convolution algorithm from the layer’s configuration, and to measure what that gains on VGG19, GoogLeNet, ResNet-50, SqueezeNet and AlexNet. It was not finished: compile times, data layouts and debugging got in the way.',
    'The study that it rests on gives rules: the size of the filter and the number of inputs decide most. Here the rules are held against a search on your machine, layer by layer, beside wgrad’s own prediction; and the five networks train a step three ways: as the default algorithm, as predicted, and as searched.',
  ],
  source: {
    title: 'A thesis at BSC and UPC on choosing the convolution algorithm',
    kind: 'Thesis',
    year: 2019,
    hardware:
      'NVIDIA Volta with cuDNN, for the rules. No training times of the thesis are recorded here, so the networks have nothing published beside them.',
    further:
      'Jordà, Valero-Lara and Peña, “Performance evaluation of cuDNN convolution algorithms on NVIDIA Volta GPUs” (2019)',
  },
  sizes: {
    small: 'three layers of SqueezeNet for images of 32 × 32, batch 1',
    full: 'every layer of five networks as published, 224 × 224, batch 16 or what fits; on processors, their variants for 32 × 32 and batch 2. Takes minutes',
  },
  method: [
    'A search (find) verifies and times the likely variants of every algorithm. “Wins here” is the fastest; a rule’s or a prediction’s loss is the time of what it says over that, minus one.',
    'A rule names a family: GEMM is implicit GEMM, im2col or the 1x1 product here, FFT is of the whole image or of tiles, and Winograd is any tile. The fastest of the family counts.',
    `The source gives no numbers for “very large” and “small” images. They are read as at least ${VERY_LARGE} and at most ${SMALL} pixels. It says nothing of 7x7 and 11x11 filters.`,
    'Layers are forward passes. Layers of one network with equal sizes are measured once.',
    'A step is the wall-clock time of whole training steps in a row on synthetic images, SGD: every convolution with the default algorithm (implicit GEMM), as predicted (get), and as searched in all three directions, where problems that make up nine tenths of the arithmetic are searched and the rest is predicted.',
    'float16 is measured for the forward pass, where shaders have it.',
    'GoogLeNet has batch normalisation, which the paper had not, and no auxiliary classifiers. Convolutions of ResNet-50, VGG19, GoogLeNet and SqueezeNet are the papers’; AlexNet’s are of its version for one GPU.',
  ],
  figures: [
    {
      kind: 'table',
      name: 'rules',
      title: 'The rules',
      explanation: 'What the study says, and in how many of the layers below the rule’s family wins here.',
      columns: [
        PRECISION,
        { name: 'filter', title: 'Filter', key: true },
        { name: 'images', title: 'Images', key: true },
        { name: 'rule', title: 'Published rule', published: true },
        { name: 'layers', title: 'Layers here', unit: 'count' },
        { name: 'right', title: 'It wins in', unit: 'count' },
        { name: 'loss', title: 'Mean loss by the rule', unit: 'loss' },
        { ...GET_LOSS, title: 'Mean loss by get' },
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
      explanation: 'One step with the default algorithm everywhere, as predicted, and as searched.',
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
      explanation: 'The same times in one table, with what searching costs.',
      columns: [
        NETWORK,
        { name: 'images', title: 'Images' },
        { name: 'batch', title: 'Batch', unit: 'count' },
        { name: 'convolutions', title: 'Convolutions', unit: 'count', wide: true },
        { name: 'base', title: 'Base', unit: 'ms' },
        { name: 'predicted', title: 'Predicted', unit: 'ms' },
        { name: 'tuned', title: 'Tuned', unit: 'ms' },
        { name: 'gain', title: 'Predicted over base', unit: 'ratio' },
        { name: 'search', title: 'Search', unit: 'ms', wide: true },
        { name: 'note', title: '', wide: true },
      ],
    },
    {
      kind: 'table',
      name: 'totals',
      title: 'All layers of a network',
      explanation:
        'The forward pass of all convolutions in sum: with the rules, with get, and with what wins.',
      columns: [
        NETWORK,
        PRECISION,
        { name: 'layers', title: 'Layers', unit: 'count' },
        { name: 'rule', title: 'By the rules', unit: 'ms' },
        { name: 'get', title: 'By get', unit: 'ms' },
        { name: 'best', title: 'Searched', unit: 'ms' },
        RULE_LOSS,
        GET_LOSS,
      ],
    },
    {
      kind: 'table',
      name: 'layers',
      title: 'Every layer',
      explanation: 'What the rule says, what get says, what wins here, and what each loses.',
      columns: [
        NETWORK,
        { name: 'layer', title: 'Layer', key: true },
        PRECISION,
        { name: 'sizes', title: 'Sizes', wide: true },
        { name: 'count', title: 'Layers', unit: 'count', wide: true },
        { name: 'rule', title: 'Rule', published: true },
        { name: 'get', title: 'get' },
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
