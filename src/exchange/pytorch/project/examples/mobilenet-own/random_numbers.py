"""wgrad's random numbers, bit for bit: they follow from the seed and the step alone."""
import contextlib
import sys
from array import array

MASK = 0xFFFFFFFF  # 32 bits


class Sequence:
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


def write_orders(seed: int, count: int, epoch: int, every: int) -> None:
    """Writes the order of the samples in every n-th epoch to standard output, until the reader has ended. As a process of
    its own: a thread would share Python's lock with the training, which would wait for it."""
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt), open(1, "wb") as output:
        while True:
            output.write(array("i", Sequence(seed, f"epoch {epoch}").permutation(count)).tobytes())
            output.flush()
            epoch += every


if __name__ == "__main__":
    write_orders(*map(int, sys.argv[1:]))
