/** Inputs generated on the GPU, of which the CPU can compute every value: measuring uploads nothing large. */
import { elements } from '../../../../base/shape.ts';
import { grid, type NumberType, type PlanBuilder, type Tensor } from '../../../plan.ts';
import type { NumberSource } from '../sample.ts';

/** Values are integers over 2^(bits - 1), which both types hold exactly. */
const BITS: Readonly<Record<NumberType, number>> = { f32: 24, f16: 11 };

export const INPUT_SEEDS = { x: 0x9e3779b9, w: 0x7f4a7c15, dy: 0xf39cc060, bias: 0x5be0cd19 } as const;

/** Adds a dispatch that fills `tensor`: uniform on [-1, 1). */
export function fill(plan: PlanBuilder, tensor: Tensor, seed: number): void {
  const count = elements(tensor.shape);
  plan.dispatch({
    label: `fill ${tensor.label}`,
    kernel: { shader: 'conv/choice/fill', constants: { Number: tensor.type, BITS: BITS[tensor.type] } },
    tensors: { numbers: tensor },
    uniforms: { count, seed },
    workgroups: grid(count, 64),
  });
}

/** The values that `fill` generates. */
export function filledWith(seed: number, type: NumberType): NumberSource {
  const bits = BITS[type];
  const half = 2 ** (bits - 1);
  return (at) => {
    let v = at ^ seed;
    v = Math.imul(v ^ (v >>> 16), 0x7feb352d);
    v = Math.imul(v ^ (v >>> 15), 0x846ca68b);
    return (((v ^ (v >>> 16)) >>> (32 - bits)) - half) / half;
  };
}
