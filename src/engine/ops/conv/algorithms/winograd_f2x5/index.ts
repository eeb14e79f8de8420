import { winograd } from '../../winograd/index.ts';
import { F2X5 } from '../../winograd/variants.ts';

export default winograd(F2X5, {
  summary: "Winograd's F(2x2, 5x5): 36 products in place of 100 for four outputs.",
  tolerance: 2e-5,
  exact: false,
});
