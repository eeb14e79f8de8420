/** SHA-256 without the platform: https://doi.org/10.6028/NIST.FIPS.180-4 */

const BLOCK_BYTES = 64;

/** Section 6.2. */
export function ownSha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  // The message, a bit of 1, zeros, and the number of bits in eight bytes.
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, 8n * BigInt(bytes.length));
  const { initial, rounds } = CONSTANTS;
  const hash = Uint32Array.from(initial);
  const words = new Uint32Array(rounds.length);
  for (let block = 0; block < padded.length; block += BLOCK_BYTES) {
    for (let t = 0; t < 16; t++) words[t] = view.getUint32(block + 4 * t);
    for (let t = 16; t < words.length; t++) {
      const [early, late] = [words[t - 15], words[t - 2]];
      const sigma0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
      const sigma1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
      words[t] = sigma1 + words[t - 7] + sigma0 + words[t - 16];
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let t = 0; t < words.length; t++) {
      const sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const chosen = (e & f) ^ (~e & g);
      const first = (h + sum1 + chosen + rounds[t] + words[t]) | 0;
      const sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + sum0 + majority) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (hash[i] += value));
  }
  const digest = new Uint8Array(4 * hash.length);
  hash.forEach((word, i) => new DataView(digest.buffer).setUint32(4 * i, word));
  return digest;
}

const rotated = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** The first 32 bits of the fractions of the square roots of the first 8 primes, and of the cube roots of the first 64. */
const CONSTANTS = (() => {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32);
  return {
    initial: primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))),
    rounds: primes.map((prime) => fraction(Math.cbrt(prime))),
  };
})();
