import { activation } from '../activation/op.ts';

/** x sigmoid(x), also called swish: PyTorch's nn.SiLU. As there, NaN for negative infinity. */
export default activation('silu');
