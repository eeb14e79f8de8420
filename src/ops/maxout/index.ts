import { largest, type About } from '../about.ts';
import { numberOf } from '../layer.ts';

export default {
  op: 'maxout',
  group: 'Activation',
  everyday: 'Of every few maps, keeps the largest number at each place.',
  explanation: 'Takes the maximum over groups of consecutive channels.',
  attributes: { pieces: { title: 'Pieces', initial: 2, divides: [], hint: 'Channels per output.' } },
  details: ({ attributes: { pieces } = {} }) => [`of ${String(pieces)}`],
  reads: (layer) => ({ kind: 'pieces', pieces: numberOf(layer, 'pieces') }),
  workOut: largest,
} satisfies About;
