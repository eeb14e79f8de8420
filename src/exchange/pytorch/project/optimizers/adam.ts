import { unless, type TorchOptimizer } from '../optimizer.ts';

const adam: TorchOptimizer = {
  name: 'adam',
  kind: 'torch.optim.Adam',
  onGpu: ['fused=device.type == "cuda"', 'capturable=captured'],
  counts: true,
  settings: ({ eps }) => unless('eps', eps, 1e-8),
  states: () => ['exp_avg', 'exp_avg_sq'],
};

export default [adam, { ...adam, name: 'adamw', kind: 'torch.optim.AdamW', weightDecay: 0.01 }];
