import { winograd } from '../../winograd/index.ts';
import { F4X3 } from '../../winograd/variants.ts';

export default winograd(F4X3, {
  summary: "Winograd's F(4x4, 3x3): 36 products in place of 144 for sixteen outputs.",
  tolerance: 2e-5,
  exact: false,
});
