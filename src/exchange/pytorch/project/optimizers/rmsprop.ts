import { momentumState, unless, type TorchOptimizer } from '../optimizer.ts';

export default {
  name: 'rmsprop',
  kind: 'torch.optim.RMSprop',
  onGpu: ['capturable=captured'],
  counts: true,
  settings: ({ alpha, eps, momentum, centered }) => [
    ...unless('alpha', alpha, 0.99),
    ...unless('eps', eps, 1e-8),
    ...unless('momentum', momentum, 0),
    ...unless('centered', centered, false),
  ],
  states: (settings) => [
    'square_avg',
    ...momentumState(settings),
    ...(settings.centered ? ['grad_avg'] : []),
  ],
} satisfies TorchOptimizer;
