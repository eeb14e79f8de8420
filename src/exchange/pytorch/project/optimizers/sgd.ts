import { momentumState, unless, type TorchOptimizer } from '../optimizer.ts';

export default {
  name: 'sgd',
  kind: 'torch.optim.SGD',
  onGpu: ['fused=device.type == "cuda"'],
  settings: ({ momentum, nesterov }) => [
    ...unless('momentum', momentum, 0),
    ...unless('nesterov', nesterov && momentum > 0, false),
  ],
  states: momentumState,
} satisfies TorchOptimizer;
