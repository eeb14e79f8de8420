import { defaultsOf, NO_FIELDS, type Optimizer, requireRange } from '../optimizer.ts';
import { planUpdate } from '../update.ts';

/** PyTorch's RMSprop. */
const rmsprop: Optimizer = {
  name: 'rmsprop',
  states: ['square_avg', 'momentum_buffer', 'grad_avg'],
  defaults: defaultsOf('rmsprop'),

  stepFields(_, { lr, momentum, alpha, eps, weightDecay }) {
    requireRange('rmsprop', 'lr', lr, 0);
    requireRange('rmsprop', 'momentum', momentum, 0);
    requireRange('rmsprop', 'alpha', alpha, 0, 1);
    requireRange('rmsprop', 'eps', eps, 0);
    requireRange('rmsprop', 'weightDecay', weightDecay, 0);
    return { ...NO_FIELDS, lr, weightDecay, momentum, beta2: alpha, gain2: 1 - alpha, epsilon: eps };
  },

  plan(plan, tensors, { centered }) {
    planUpdate(plan, 'rmsprop', { shader: 'optimizers/rmsprop', constants: { CENTERED: centered } }, tensors);
  },
};

export default rmsprop;
