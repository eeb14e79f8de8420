import { number, type About } from '../about.ts';

export default {
  op: 'batch_norm',
  group: 'Normalisation and dropout',
  stem: 'bn',
  everyday: 'Brings the numbers of each map to a common size, so that learning goes faster.',
  explanation:
    'Normalises each channel to mean 0 and variance 1 over the batch, then applies a learned scale and shift. Deep networks train faster with it.',
  attributes: {
    eps: number('Epsilon', { default: 1e-5, listed: true }, 'Added to the variance for numerical stability.'),
    momentum: number('Momentum', { default: 0.1 }, 'Update rate of the running mean and variance.'),
  },
  workOut({ values: [x], attributes, own }) {
    const { eps = 1e-5 } = attributes as { eps?: number };
    const [mean, variance, weight, bias] = ['running_mean', 'running_var', 'weight', 'bias'].map(
      (name) => own(name) as number,
    );
    return {
      formula: '(x − mean) / √(variance + eps) × weight + bias',
      result: ((x - mean) / Math.sqrt(variance + eps)) * weight + bias,
      constants: [
        ['mean', mean],
        ['variance', variance],
        ['eps', eps],
        ['weight', weight],
        ['bias', bias],
      ],
    };
  },
} satisfies About;
