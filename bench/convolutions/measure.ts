/** What convolutions are judged by, and what their results are called. */
import { problemKey } from '../../src/engine/ops/conv/problem.ts';
import { convTensorShape, DIRECTION_TENSORS } from '../../src/engine/ops/conv/run.ts';
import { convNumber, samplePlaces } from '../../src/engine/ops/conv/sample.ts';
import { PLACES, type Expected } from '../operations/judge.ts';
import { inputSource, type Task } from './peer.ts';

export function expectedOf({ problem, direction }: Task): Expected {
  const { inputs, output } = DIRECTION_TENSORS[direction];
  const sources = [inputSource(inputs[0]), inputSource(inputs[1])] as const;
  const places = samplePlaces(convTensorShape(problem, output), PLACES);
  return {
    what: `${direction} of ${problemKey(problem)}`,
    places,
    exact: places.map((place) => convNumber(problem, direction, sources, place)),
  };
}

/** What the lines about a convolution begin with. */
export const keyOf = ({ problem, direction }: Task) => ({
  bench: 'convolution',
  problem: problemKey(problem),
  direction,
});
