import type { FailureValue } from '../../../base/result.ts';
import type { ConvSizes, ProblemSummary } from '../../../worker/api.ts';
import { ask } from '../../client.ts';
import { useAnswer } from '../../components/use-answer.ts';
import { MEANING, readSizes } from './sizes.ts';
import type { SizesText } from '../../share/conv-sizes.ts';

export type CheckedProblem =
  | { state: 'checking'; sizes: ConvSizes }
  | { state: 'right'; sizes: ConvSizes; summary: ProblemSummary }
  | { state: 'wrong'; error: FailureValue; fields: ReadonlySet<string> };

/** Checks sizes as they are typed: that they are numbers here, that they fit together in the worker. */
export function useProblem(text: SizesText): CheckedProblem {
  const read = readSizes(text);
  const sizes = 'sizes' in read ? read.sizes : undefined;
  const answer = useAnswer(sizes && JSON.stringify(sizes), () =>
    ask((api) => api.checkProblem(sizes as ConvSizes)),
  );
  if ('errors' in read) {
    const [[name, message]] = Object.entries(read.errors) as [keyof SizesText, string][];
    return {
      state: 'wrong',
      error: { code: 'bad-input', message: `${name} (${MEANING[name]}): ${message}` },
      fields: new Set(Object.keys(read.errors)),
    };
  }
  if (!answer) return { state: 'checking', sizes: read.sizes };
  return answer.ok
    ? { state: 'right', sizes: read.sizes, summary: answer.value }
    : { state: 'wrong', error: answer.error, fields: new Set() };
}
