import { activation } from '../activation/op.ts';

/** The hyperbolic tangent: PyTorch's nn.Tanh. */
export default activation('tanh');
