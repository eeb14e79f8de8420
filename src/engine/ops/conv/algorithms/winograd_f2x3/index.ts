import type { ConvSetting } from '../../algorithm.ts';
import type { Block } from '../../winograd/fused.ts';
import { winograd } from '../../winograd/index.ts';
import { F2X3 } from '../../winograd/variants.ts';

/** 32 KiB of workgroup memory, then 16. */
const MANY_FILTERS: readonly Block[] = [
  { TM: 8, TN: 8, WX: 4, WY: 4, STEP: 8 },
  { TM: 8, TN: 8, WX: 4, WY: 4, STEP: 4 },
  { TM: 8, TN: 8, WX: 8, WY: 4, STEP: 4 },
];
/** All filters of 64 at once: tiles are transformed once. 48 KiB. */
const WIDE: Block = { TM: 8, TN: 8, WX: 4, WY: 8, STEP: 8 };
/** 24 and 12 KiB. */
const FEW_FILTERS: readonly Block[] = [
  { TM: 4, TN: 8, WX: 4, WY: 4, STEP: 8 },
  { TM: 4, TN: 8, WX: 4, WY: 4, STEP: 4 },
];
/** For software adapters: their compilers take seconds for what is unrolled in the others. */
const SHORT: readonly Block[] = [{ TM: 4, TN: 4, WX: 4, WY: 1, STEP: 4 }];

function blocks({ device }: ConvSetting, filters: number): readonly Block[] {
  if (device.adapter.software) return SHORT;
  if (filters <= 16) return FEW_FILTERS;
  return filters > 32 ? [MANY_FILTERS[0], WIDE, ...MANY_FILTERS.slice(1)] : MANY_FILTERS;
}

export default winograd(F2X3, {
  summary: "Winograd's F(2x2, 3x3): 16 products in place of 36 for four outputs, exact on whole numbers.",
  tolerance: 2e-6,
  exact: true,
  blocks,
});
