// @ts-check
/**
 * Repeats a recorded forward pass: see write.ts. It is plain JavaScript without imports because its text is part of the
 * exported page.
 *
 * @typedef {object} Network
 * @property {number} pages of memory
 * @property {number} imageAddress
 * @property {number} logitsAddress
 * @property {number} argsAddress
 * @property {number} scratchAddress
 * @property {[kernel: number, workgroups: number, ...args: number[]][]} calls
 * @property {number[]} kernels their lengths in bytes
 * @property {number[]} shape [C, H, W]
 * @property {number[]} mean by channel, of pixels in [0, 1]
 * @property {number[]} std
 * @property {string[]} classes
 */

/**
 * @param {Network} network
 * @param {Uint8Array<ArrayBuffer>} bytes the kernels, then the memory
 * @returns {Promise<(image: Uint8Array) => number[]>} from C x H x W bytes to the classes' probabilities
 */
export async function load(network, bytes) {
  const memory = new WebAssembly.Memory({ initial: network.pages });
  const imports = { env: { memory } };
  let at = 0;
  /** @type {((args: number, first: number, end: number, scratch: number) => void)[]} */
  const kernels = [];
  for (const length of network.kernels) {
    const { instance } = await WebAssembly.instantiate(bytes.slice(at, at + length), imports);
    kernels.push(/** @type {any} */ (instance.exports).run);
    at += length;
  }
  new Uint8Array(memory.buffer).set(bytes.subarray(at));
  const { shape, mean, std, classes } = network;
  const [, height, width] = shape;
  const input = new Float32Array(memory.buffer, network.imageAddress, shape[0] * height * width);
  const logits = new Float32Array(memory.buffer, network.logitsAddress, classes.length);
  const [means, deviations] = [Float32Array.from(mean), Float32Array.from(std)];
  return (image) => {
    for (let i = 0; i < image.length; i++) {
      const channel = Math.floor(i / (height * width));
      input[i] = (image[i] / 255 - means[channel]) / deviations[channel];
    }
    for (const [kernel, workgroups, ...args] of network.calls) {
      new Uint32Array(memory.buffer, network.argsAddress, args.length).set(args);
      kernels[kernel](network.argsAddress, 0, workgroups, network.scratchAddress);
    }
    const most = Math.max(...logits);
    const shares = Array.from(logits, (logit) => Math.exp(logit - most));
    const sum = shares.reduce((a, b) => a + b);
    return shares.map((share) => share / sum);
  };
}
