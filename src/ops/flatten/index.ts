import { passed, type About } from '../about.ts';

export default {
  op: 'flatten',
  group: 'Join and reshape',
  everyday: 'Lays all maps out in one long row.',
  explanation: 'Reshapes all feature maps into one vector. No computation.',
  reads: () => ({ kind: 'flatten' }),
  workOut: passed('x, reshaped'),
} satisfies About;
