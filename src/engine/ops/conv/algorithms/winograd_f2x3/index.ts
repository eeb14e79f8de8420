import { winograd } from '../../winograd/index.ts';
import { F2X3 } from '../../winograd/variants.ts';

export default winograd(F2X3, {
  summary: "Winograd's F(2x2, 3x3): 16 products in place of 36 for four outputs, exact on whole numbers.",
  tolerance: 2e-6,
  exact: true,
});
