/** Names of runs that people remember: "brave-otter-3" is the third run here, and equal seeds begin alike. */
import { randomWords } from '../../base/random-words.ts';

const ADJECTIVES =
  'amber bold brave bright brisk calm clear clever cosy crisp curious eager early fair fleet fond gentle glad golden green happy humble keen kind lively lucky mellow merry mild misty neat nimble noble patient plain proud quick quiet rapid ready rosy round sharp shy silver sleek slow smooth soft spry steady still sunny swift tidy tender true vivid warm wary wild wise witty young'.split(
    ' ',
  );
const NOUNS =
  'acorn adder ant badger bear beaver bee birch bison cedar clover comet crane deer dove eagle elm falcon fern finch fir fox frog gecko goose hare hawk hazel heron ibis ivy jay kite lark lily linden lynx maple marten mole moose moss moth newt oak otter owl pine plover quail raven reed robin rook seal sparrow stork swan thrush toad trout vole willow wren'.split(
    ' ',
  );

const STREAM = 7;

/** @param count the run's number here, from 1 */
export function nameOf(seed: number, count: number): string {
  const [first, second] = randomWords(seed, STREAM, count);
  return `${ADJECTIVES[first % ADJECTIVES.length]}-${NOUNS[second % NOUNS.length]}-${count}`;
}
