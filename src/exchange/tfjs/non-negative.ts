import { FORMATS } from '../../ops/writers.ts';

/** Whether an op's outputs are at least 0 everywhere. @param inputs whether all of its inputs are */
export function isNonNegative(op: string, inputs: () => boolean): boolean {
  const { nonNegative } = FORMATS.get(op).tfjs;
  return nonNegative === 'always' || (nonNegative === 'keeps' && inputs());
}
