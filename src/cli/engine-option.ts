import { ENGINES } from '../node/gpu.ts';
import { choice, optional } from './arguments.ts';

export const engineOption = optional(
  choice(ENGINES, 'Compute on the GPU or on the CPU (default: WGRAD_ENGINE, or else gpu).'),
);
