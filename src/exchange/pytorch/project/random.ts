/**
 * The project's random_numbers.py: src/base/random.ts and src/base/random-words.ts in Python, as far as it is used. It
 * is also a program, which makes the orders of the samples.
 */
import { lines, sections } from './python.ts';
import { selects } from './selection.ts';
import { uses, type ProjectSubject } from './subject.ts';

export interface RandomNeeds {
  /** Samples are shuffled. */
  orders: boolean;
  /** Samples are shuffled, or images split or selected. */
  permutation: boolean;
  /** Images are blended. */
  beta: boolean;
  /** Images are augmented, or outputs dropped: hashes by step. */
  words: boolean;
}

export function randomNeeds(subject: ProjectSubject): RandomNeeds {
  const { settings, dataset } = subject;
  const { crop, flip, alternate, cutout, mixup } = settings.augmentation;
  return {
    orders: settings.shuffle,
    permutation: settings.shuffle || dataset === undefined || selects(subject),
    beta: mixup > 0,
    words: [crop, flip, alternate, cutout, mixup].some((value) => value > 0) || uses(subject, 'dropout'),
  };
}

export const isRandom = ({ permutation, beta, words }: RandomNeeds): boolean => permutation || beta || words;

export function randomText({ orders, permutation, beta, words }: RandomNeeds): string {
  return sections(
    lines(
      `"""wgrad's random numbers, bit for bit: they follow from the seed and the step alone."""`,
      orders && 'import contextlib',
      beta && 'import math',
      orders && 'import sys\nfrom array import array',
      '',
      'MASK = 0xFFFFFFFF  # 32 bits',
    ),
    (permutation || beta) &&
      `class Sequence:
    """A sequence of random numbers: sfc32 from PractRand. One seed gives an independent sequence for each name."""

    def __init__(self, seed: int, name: str):
        state = seed
        for letter in name:
            state = (state ^ ord(letter)) * 0x01000193 & MASK
        start = []
        for _ in range(3):
            state = (state + 0x9E3779B9) & MASK
            z = (state ^ state >> 16) * 0x21F0AAAD & MASK
            z = (z ^ z >> 15) * 0x735A2D97 & MASK
            start.append(z ^ z >> 15)
        self.a, self.b, self.c = start
        self.counter = 1
        for _ in range(12):
            self.word()

    def word(self) -> int:
        """An integer below 2^32."""
        word = (self.a + self.b + self.counter) & MASK
        self.counter += 1
        self.a = self.b ^ self.b >> 9
        self.b = (self.c + (self.c << 3)) & MASK
        self.c = ((self.c << 21 | self.c >> 11) + word) & MASK
        return word
${permutation ? PERMUTATION : ''}${beta ? BETA : ''}`.trimEnd(),
    words && WORDS,
    orders && ORDERS,
  );
}

const PERMUTATION = `
    def below(self, bound: int) -> int:
        """An integer below bound, without bias: words beyond the last multiple of bound are rejected."""
        limit = 2**32 - 2**32 % bound
        word = self.word()
        while word >= limit:
            word = self.word()
        return word % bound

    def permutation(self, count: int) -> list[int]:
        """0 to count - 1 in random order (Fisher-Yates)."""
        order = list(range(count))
        for i in range(count - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order
`;

const BETA = `
    def symmetric_beta(self, alpha: float) -> float:
        """A sample of Beta(alpha, alpha), by Bailey's method for Student's t (1994)."""
        while True:
            u, v = (2 * (self.word() >> 8) / 2**24 - 1 for _ in range(2))
            s = u * u + v * v
            if s < 1 and u != 0:
                r = s ** (1 / alpha)
                spread = u * u * (1 - r) / s
                return (1 + math.copysign(math.sqrt(spread / (r + spread)), u)) / 2
`;

const WORDS = `def random_words(seed, use, places):
    """Four random words for each place, a number or a tensor of them: the hash pcg4d (Jarzynski and Olano, "Hash Functions
    for GPU Rendering")."""
    words = [(word * 1664525 + 1013904223) & MASK for word in (places, use, seed, 0)]
    return mixed(*(word ^ word >> 16 for word in mixed(*words)))


def mixed(x, y, z, w):
    """Products in tensors of 64 bits may overflow: their lower 32 bits are right."""
    x = (x + y * w) & MASK
    y = (y + z * x) & MASK
    z = (z + x * y) & MASK
    w = (w + y * z) & MASK
    return x, y, z, w


def below(words, bound):
    """The words, scaled to integers below bound."""
    return (words >> 16) * bound >> 16


def step_seed(seed: int, step: int) -> int:
    """The seed of a step; steps are counted from 0."""
    return random_words(seed, STEP, step)[0]


def letters(name: str) -> int:
    return int.from_bytes(name.encode(), "big")


STEP = letters("STEP")`;

const ORDERS = `def write_orders(seed: int, count: int, epoch: int, every: int) -> None:
    """Writes the order of the samples in every n-th epoch to standard output, until the reader has ended. As a process of
    its own: a thread would share Python's lock with the training, which would wait for it."""
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt), open(1, "wb") as output:
        while True:
            output.write(array("i", Sequence(seed, f"epoch {epoch}").permutation(count)).tobytes())
            output.flush()
            epoch += every


if __name__ == "__main__":
    write_orders(*map(int, sys.argv[1:]))`;
