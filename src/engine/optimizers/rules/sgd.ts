import { Failure } from '../../../base/result.ts';
import { defaultsOf, NO_FIELDS, type Optimizer, requireRange } from '../optimizer.ts';
import { planUpdate } from '../update.ts';

/** Stochastic gradient descent as PyTorch's SGD with dampening 0. */
const sgd: Optimizer = {
  name: 'sgd',
  states: ['momentum_buffer'],
  defaults: defaultsOf('sgd'),

  stepFields(_, { lr, momentum, nesterov, weightDecay }) {
    requireRange('sgd', 'lr', lr, 0);
    requireRange('sgd', 'momentum', momentum, 0);
    requireRange('sgd', 'weightDecay', weightDecay, 0);
    if (nesterov && momentum === 0) {
      throw new Failure('bad-input', 'sgd: nesterov needs a momentum above 0, found 0');
    }
    return { ...NO_FIELDS, lr, momentum, weightDecay };
  },

  plan(plan, tensors, { nesterov }) {
    planUpdate(plan, 'sgd', { shader: 'optimizers/sgd', constants: { NESTEROV: nesterov } }, tensors);
  },
};

export default sgd;
