import { winograd } from '../../winograd/index.ts';
import { F4X5 } from '../../winograd/variants.ts';

export default winograd(F4X5, {
  summary: "Winograd's F(4x4, 5x5): 64 products in place of 400 for sixteen outputs.",
  tolerance: 2e-5,
  exact: false,
});
