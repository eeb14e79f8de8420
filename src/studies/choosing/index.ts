/** Choosing a convolution algorithm from the layer's configuration, without trying any. */
import type { FigureColumn, Study } from '../study.ts';
import { measure } from './measure.ts';
import { READING_ROWS, RULE_ROWS, ruleKeys } from './problems.ts';

/** Columns of several tables. */
const NETWORK: FigureColumn = { name: 'network', title: 'Network', key: true };
const PRECISION: FigureColumn = { name: 'precision', title: 'Precision', key: true };
const FILTER: FigureColumn = { name: 'filter', title: 'Filter', key: true };
const LIMITS: FigureColumn = { name: 'limits', title: 'Limits', key: true };
const WINS: FigureColumn = { name: 'wins', title: 'Fastest here' };
const BEST: FigureColumn = { name: 'best', title: 'Its time', unit: 'ms' };
const RULINGS: readonly FigureColumn[] = [
  { name: 'images_rule', title: 'Rule, 32 as images', published: true },
  { name: 'images_loss', title: 'Loss as images', unit: 'loss' },
  { name: 'pixels_rule', title: 'Rule, 32 as pixels', published: true },
  { name: 'pixels_loss', title: 'Loss as pixels', unit: 'loss' },
];
const LOSSES: readonly FigureColumn[] = [
  { name: 'images_loss', title: 'Rules lose, images', unit: 'loss' },
  { name: 'pixels_loss', title: 'Rules lose, pixels', unit: 'loss' },
];
const PREDICTED: FigureColumn = { name: 'get', title: 'Predicted', wide: true };
const GET_LOSS: FigureColumn = { name: 'get_loss', title: 'Prediction loses', unit: 'loss' };

const study: Study = {
  name: 'choosing',
  order: 4,
  title: 'Choosing an algorithm without searching',
  short: 'Choosing',
  question:
    'Does a layer’s configuration alone tell which convolution algorithm is fastest, without trying all of them?',
  summary: [
    'The thesis set out to make TensorFlow choose the convolution algorithm from the layer’s configuration, so that nobody pays for trying each, and to measure the gain on VGG19, GoogLeNet, ResNet-50, SqueezeNet and AlexNet with the framework’s profiler. It was not finished: compile times, data layouts and debugging got in the way.',
    'The thesis retells the rules of a study by others. float32: 1x1 filters take GEMM; 3x3 Winograd, except when the input data set is very large: GEMM; 5x5 Winograd, but when the input data set is larger than 32: GEMM for small inputs, FFT for medium ones. float16: GEMM for 1x1 and 5x5, Winograd for 3x3.',
    '“Input data set” is not defined. “32” and “very large” are read in two ways here: as images in a batch, which is likelier, because the study’s abstract says that filter size and the number of inputs decide most, and as pixels of an image’s longer side.',
    'Here, both readings and wgrad’s own prediction are compared with a search on your machine. Then the plan of the thesis is carried out: a training step of the five networks with the default algorithm, by the rules, as predicted, and with what the search found, with a profile of each.',
    'What choosing saves is the search. TensorFlow, the thesis’s base, searches, so its step is the “tuned” one: on an NVIDIA H100, steps by the rules took 1.01 to 1.04 times as long with 32 as images and up to 1.16 times (VGG19) as pixels, and the search 17 to 49 seconds for each network. The gain over one algorithm for all layers, implicit GEMM, is another question.',
  ],
  source: {
    title: 'Integration of GPU kernels with deep learning frameworks',
    kind: 'Bachelor’s thesis, FIB, UPC-BarcelonaTech, with BSC',
    authors: 'A. Boza i Dieguez',
    date: 'October 2019',
    numbers: 'It has rules, with one number in them, and no table of times.',
    hardware: 'For the rules: NVIDIA Volta with cuDNN. For the thesis: not stated.',
    further:
      'Jordà, Valero-Lara and Peña, “Performance evaluation of cuDNN convolution algorithms on NVIDIA Volta GPUs” (2019)',
  },
  sizes: {
    small:
      'four convolutions with few channels, and the forward pass of two layers of SqueezeNet, images of 32 × 32, batch 1',
    full: '52 convolutions that vary images, size and filter (12 in float16), and the layers with most arithmetic of five networks as published, 224 × 224, batch 16 or what fits; on CPUs, smaller ones. Takes minutes',
  },
  method: [
    'A search (find) verifies and times the likely variants of every algorithm, and what the rules and the prediction take. “Fastest here” is the winner. A loss is the time of a choice divided by the winner’s, minus one.',
    'A rule names a family: GEMM is implicit GEMM, im2col or the 1x1 multiplication, FFT is of the whole image or of tiles, and Winograd is any tile. It counts as the fastest where any variant of its family wins. Its loss is that of the variant that a run takes by the rules: the one of the family that is predicted to be fastest (get).',
    'The source gives no numbers for “small”, “medium” and “very large”. Each reading has two choices of limits here, “first” and “second”; runs and all other tables use the first. In both readings, “small” and “medium” are pixels. Above 32 and neither small nor medium: Winograd. There is no rule for 7x7 and 11x11 filters; there, and where the family cannot do the problem, the prediction counts.',
    'The convolutions that vary images and size have as many filters as channels, fewer for larger images, and outputs as large as inputs. Batches of 64 and 128 images of 224 × 224 are left out, because moving them would take most of the study’s time. Forward pass only.',
    'Of each network, the problems that make up seven tenths of the arithmetic are searched. Layers of one network with equal sizes are measured once.',
    'A step is timed by the wall clock: whole training steps in a row in float32, with SGD on synthetic images. Its convolutions use the default algorithm (implicit GEMM), the rules in both readings (as train --conv-algorithm rules and rules-pixels), the predicted ones (get), or those found by a search in all three directions; what is not searched is predicted. Of these, settings that take the same variants everywhere are timed once.',
    'A profile times every kernel of a step by itself and adds up those of convolutions by family.',
    'float16 is measured for the forward pass, on devices that support it in shaders. Where they have tensor cores that WebGPU exposes, those count among the variants, in NHWC as in training; the variant’s name and the tables say where they win.',
    'Unlike in the paper, GoogLeNet has batch normalisation and no auxiliary classifiers. The convolutions of ResNet-50, VGG19, GoogLeNet and SqueezeNet are those of the papers; AlexNet’s are those of its single-GPU version.',
  ],
  published: [{ what: 'rule for 5x5 in float32: input data sets larger than this', value: '32', unit: '' }],
  figures: [
    {
      kind: 'table',
      name: 'readings',
      title: 'Two readings of the rules',
      explanation:
        'Both readings with two choices of limits each, on all float32 convolutions that vary images and size: how often their choice is the fastest, and what it loses.',
      columns: [
        { name: 'reading', title: '32 counts', key: true },
        LIMITS,
        { name: 'small', title: 'Small', wide: true },
        { name: 'medium', title: 'Medium', wide: true },
        { name: 'very_large', title: 'Very large', wide: true },
        { name: 'problems', title: 'Convolutions', unit: 'count' },
        { name: 'fastest', title: 'Fastest in', unit: 'count' },
        { name: 'loss', title: 'Mean loss', unit: 'loss' },
        { ...GET_LOSS, title: 'Mean loss by prediction' },
      ],
      given: READING_ROWS.map(({ given }) => given),
    },
    {
      kind: 'table',
      name: 'rules',
      title: 'The rules',
      explanation:
        'Each rule on the convolutions that it is for, in both readings: where a variant of its family is the fastest, and its mean loss.',
      columns: [
        PRECISION,
        FILTER,
        { name: 'input', title: 'Input data set', key: true },
        { name: 'rule', title: 'Published rule', published: true },
        LIMITS,
        { name: 'images_fastest', title: 'As images: fastest in' },
        { name: 'images_loss', title: 'Loss as images', unit: 'loss' },
        { name: 'pixels_fastest', title: 'As pixels: fastest in' },
        { name: 'pixels_loss', title: 'Loss as pixels', unit: 'loss' },
      ],
      given: RULE_ROWS.map((row) => ({ ...ruleKeys(row), rule: row.rule.choice })),
    },
    {
      kind: 'table',
      name: 'problems',
      title: 'Convolutions that vary images and size',
      explanation:
        'The time of what a run takes from each family, the winner, and what both readings (with the first limits) and the prediction take and lose.',
      columns: [
        PRECISION,
        FILTER,
        { name: 'side', title: 'Height, width', unit: 'count', key: true },
        { name: 'images', title: 'Images', unit: 'count', key: true },
        { name: 'channels', title: 'Channels', unit: 'count', wide: true },
        { name: 'gemm', title: 'GEMM', unit: 'ms', wide: true },
        { name: 'winograd', title: 'Winograd', unit: 'ms', wide: true },
        { name: 'fft', title: 'FFT', unit: 'ms', wide: true },
        WINS,
        BEST,
        ...RULINGS,
        GET_LOSS,
        PREDICTED,
      ],
    },
    {
      kind: 'bars',
      name: 'steps',
      title: 'Training steps of the five networks',
      explanation:
        'One step with the default algorithm everywhere, by the rules in both readings, as predicted, and with what the search found.',
      base: 'base',
      bars: [
        { name: 'base', look: 'implicit_gemm' },
        { name: 'rules', look: 'direct' },
        { name: 'rules, pixels', look: 'im2col_gemm' },
        { name: 'predicted', look: 'winograd_f4x3' },
        { name: 'tuned', look: 'fft' },
      ],
    },
    {
      kind: 'table',
      name: 'networks',
      title: 'The five networks',
      explanation:
        'The same times in one table, with the cost of the search, which “tuned” needs before its first step. Speed-ups are over “base”, implicit GEMM in all layers.',
      columns: [
        NETWORK,
        { name: 'images', title: 'Images', wide: true },
        { name: 'batch', title: 'Batch', unit: 'count' },
        { name: 'convolutions', title: 'Convolutions', unit: 'count', wide: true },
        { name: 'base', title: 'Base', unit: 'ms' },
        { name: 'rules', title: 'Rules', unit: 'ms' },
        { name: 'rules_pixels', title: 'Rules, pixels', unit: 'ms', wide: true },
        { name: 'predicted', title: 'Predicted', unit: 'ms' },
        { name: 'tuned', title: 'Tuned', unit: 'ms' },
        { name: 'rules_gain', title: 'Base to rules', unit: 'ratio' },
        { name: 'rules_cost', title: 'Rules to tuned', unit: 'ratio', quotient: ['rules', 'tuned'] },
        { name: 'gain', title: 'Base to predicted', unit: 'ratio' },
        { name: 'cost', title: 'Predicted to tuned', unit: 'ratio', quotient: ['predicted', 'tuned'] },
        { name: 'search', title: 'Search', unit: 'ms' },
        { name: 'note', title: 'Note', wide: true },
      ],
    },
    {
      kind: 'table',
      name: 'profile',
      title: 'What a step consists of',
      explanation:
        'Of all kernels of a training step, the share of convolutions by family, and the kernel that takes longest.',
      columns: [
        NETWORK,
        { name: 'choices', title: 'Chosen', key: true },
        { name: 'total', title: 'All kernels', unit: 'ms' },
        { name: 'gemm', title: 'GEMM', unit: 'percent' },
        { name: 'winograd', title: 'Winograd', unit: 'percent' },
        { name: 'fft', title: 'FFT', unit: 'percent' },
        { name: 'direct', title: 'Direct', unit: 'percent' },
        { name: 'rest', title: 'Not convolutions', unit: 'percent' },
        { name: 'heaviest', title: 'Longest kernel', wide: true },
        { name: 'heaviest_share', title: 'Its share', unit: 'percent', wide: true },
      ],
    },
    {
      kind: 'table',
      name: 'totals',
      title: 'The searched layers of a network',
      explanation:
        'The forward pass of these convolutions together: what the rules and the prediction lose against the winners.',
      columns: [
        NETWORK,
        PRECISION,
        { name: 'layers', title: 'Layers', unit: 'count' },
        { name: 'matrices', title: 'Tensor cores win', wide: true },
        { name: 'best', title: 'Searched', unit: 'ms' },
        ...LOSSES,
        GET_LOSS,
      ],
    },
    {
      kind: 'table',
      name: 'layers',
      title: 'Every searched layer',
      explanation: 'The winner here, and what the rules in both readings and the prediction take and lose.',
      columns: [
        NETWORK,
        { name: 'layer', title: 'Layer', key: true },
        PRECISION,
        { name: 'sizes', title: 'Sizes', wide: true },
        { name: 'count', title: 'Layers', unit: 'count', wide: true },
        WINS,
        BEST,
        ...RULINGS,
        GET_LOSS,
        PREDICTED,
      ],
    },
  ],
  resumes: true,
  run: measure,
};

export default study;
