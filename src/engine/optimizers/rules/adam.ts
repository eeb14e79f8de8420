/** Adam and AdamW, which differ in how weight decay acts. */
import { power } from '../../../base/portable-math.ts';
import { defaultsOf, NO_FIELDS, type Optimizer, requireRange } from '../optimizer.ts';
import { planUpdate } from '../update.ts';

const adamOptimizer = (name: 'adam' | 'adamw', decoupled: boolean): Optimizer => ({
  name,
  states: ['exp_avg', 'exp_avg_sq'],
  defaults: defaultsOf(name),

  stepFields(t, settings) {
    const { lr, eps, betas = [0.9, 0.999] } = settings;
    requireRange(name, 'the step', t, 1);
    requireRange(name, 'lr', lr, 0);
    requireRange(name, 'weightDecay', settings.weightDecay, 0);
    requireRange(name, 'eps', eps, 0);
    for (const beta of betas) requireRange(name, 'a beta', beta, 0, 1);
    const [beta1, beta2] = betas;
    return {
      ...NO_FIELDS,
      lr,
      weightDecay: settings.weightDecay,
      momentum: beta1,
      beta2,
      epsilon: eps,
      correction1: 1 - power(beta1, t),
      correction2: 1 - power(beta2, t),
      gain1: 1 - beta1,
      gain2: 1 - beta2,
    };
  },

  plan(plan, tensors) {
    planUpdate(plan, name, { shader: 'optimizers/adam', constants: { DECOUPLED: decoupled } }, tensors);
  },
});

/** PyTorch's Adam, where weight decay adds to the gradients, and AdamW, where it shrinks the parameters themselves. */
export default [adamOptimizer('adam', false), adamOptimizer('adamw', true)];
