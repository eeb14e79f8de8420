/**
 * Muon (Jordan et al. 2024, https://kellerjordan.github.io/posts/muon/): the update of a weight matrix is its momentum with all
 * singular values near 1, so that no direction dominates. Filters count as matrices [K, C x R x S]. Biases, batch norm,
 * and the last layer take steps of SGD.
 */
import { assert } from '../../../base/assert.ts';
import type * as MuonMatrices from '../muon-matrices.ts';
import { defaultsOf, NO_FIELDS, requireRange, type Optimizer } from '../optimizer.ts';
import { planUpdate } from '../update.ts';

/** What only Muon needs is fetched by its first run. */
let matrices: Pick<typeof MuonMatrices, 'planMatrices'> | undefined;

const muon: Optimizer = {
  name: 'muon',
  states: ['momentum_buffer'],
  defaults: defaultsOf('muon'),

  matrices(entries) {
    const wide = entries.filter(({ shape }) => shape.length > 1);
    return wide.slice(0, -1);
  },

  stepFields(_, { lr, momentum, eps, weightDecay }) {
    requireRange('muon', 'lr', lr, 0);
    requireRange('muon', 'momentum', momentum, 0, 1);
    requireRange('muon', 'eps', eps, 0);
    requireRange('muon', 'weightDecay', weightDecay, 0);
    return { ...NO_FIELDS, lr, momentum, weightDecay, epsilon: eps };
  },

  async fetch() {
    matrices ??= await import('../muon-matrices.ts');
  },

  plan(plan, tensors, settings) {
    assert(matrices !== undefined, 'what muon needs was not fetched');
    const { parameters, states } = tensors;
    const updates = plan.tensor('updates', parameters.shape);
    const first = { shader: 'optimizers/muon/momentum', constants: { NESTEROV: settings.nesterov } };
    planUpdate(plan, 'muon', first, { ...tensors, states: { ...states, updates } });
    matrices.planMatrices(plan, updates, tensors, settings);
  },
};

export default muon;
