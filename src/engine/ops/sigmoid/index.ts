import { activation } from '../activation/op.ts';

/** 1 / (1 + e^-x): PyTorch's nn.Sigmoid. */
export default activation('sigmoid');
