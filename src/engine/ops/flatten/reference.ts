import { sameNumbers, type References } from '../../reference/ops.ts';

export default { flatten: sameNumbers } satisfies References;
