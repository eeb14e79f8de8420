import type { NumberType } from './plan.ts';

/** What shaders call numbers of a type, or fours of them. */
export const pieceOf = (type: NumberType, fours: boolean): string =>
  fours ? { f32: 'vec4f', f16: 'vec4h' }[type] : type;
