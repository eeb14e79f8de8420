import { eps, normalised, type About, type AttributeAbout, type WorkOut } from '../about.ts';
import { numberOf } from '../layer.ts';

const affine: AttributeAbout = {
  title: 'Scale and shift',
  hint: 'Learns a factor and an offset for each channel.',
};

/** Of the values of its group. */
const workOut: WorkOut = ({ values, sum, here, ...given }) => {
  const mean = sum / values.length;
  const variance = values.reduce((total, value) => total + (value - mean) ** 2, 0) / values.length;
  return { ...normalised(values[here], [mean, variance], given), chosen: here };
};

export default [
  {
    op: 'group_norm',
    group: 'Normalisation and dropout',
    stem: 'gn',
    everyday:
      'Brings the numbers of a few maps together to a common size, for each image by itself. So it does not matter how many images are learnt from at once.',
    explanation:
      'Normalises each group of channels of each image to mean 0 and variance 1, then applies a learned scale and shift for each channel. It does not depend on the batch, so it suits small batches.',
    attributes: {
      numGroups: { title: 'Groups', initial: 4, divides: [], hint: 'Groups of channels, as many in each.' },
      eps,
      affine,
    },
    details: ({ attributes: { numGroups } = {} }) => [`in ${String(numGroups)} groups`],
    reads: (layer) => ({ kind: 'planes', groups: numberOf(layer, 'numGroups') }),
    workOut,
  },
  {
    op: 'instance_norm',
    group: 'Normalisation and dropout',
    stem: 'in',
    everyday:
      'Brings the numbers of each map to a common size, for each image by itself: what is left is the pattern, not how bright it is.',
    explanation:
      'Normalises each channel of each image to mean 0 and variance 1. Differences in contrast between images disappear; style transfer uses it.',
    attributes: { eps, affine },
    reads: ({ output: [C] }) => ({ kind: 'planes', groups: C }),
    workOut,
  },
] satisfies About[];
