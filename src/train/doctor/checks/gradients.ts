import { elements } from '../../../base/shape.ts';
import { referenceFlop, referenceStep } from '../../../engine/reference/network.ts';
import type { FindingChart, Check } from '../check.ts';
import { normOf } from '../norm.ts';
import { normalised } from '../normalise.ts';

/** Images: as in the overfitting check, whose kernels are compiled already; fewer if that would take too long. */
const [MANY_IMAGES, FEW_IMAGES] = [8, 2];
/** FLOP in float64 that take a CPU some seconds, and those that take most of a minute. */
const [SECONDS_FLOP, MAX_FLOP] = [2.5e9, 8e9];
/** Errors, relative to a gradient's own size, that rounding makes, and that a few ReLUs at their kink may make. */
const [ROUNDING, KINKS] = [1e-3, 1e-2];
/** Errors of tiny gradients are relative to this share of the largest gradient's norm. */
const FLOOR = 1e-3;

const gradients: Check = {
  name: 'gradients',
  title: 'Gradient check',
  order: 8,
  about:
    'Compares every float32 gradient with a float64 reference. A mismatch is a bug in a kernel or driver; no other result can then be trusted.',

  async examine(patient) {
    const { config } = patient;
    const { model, dataset } = config;
    const flopOf = (images: number) => referenceFlop(model.layers, [images, ...model.input]);
    const images = flopOf(MANY_IMAGES) <= SECONDS_FLOP ? MANY_IMAGES : FEW_IMAGES;
    const flop = flopOf(images);
    if (flop > MAX_FLOP) {
      return {
        light: 'skipped',
        found: `The network is too large: ${(flop / 1e9).toFixed(0)} GFLOP in float64 would take minutes on the CPU.`,
        advice: 'Check a smaller network with the same types of layers.',
        numbers: { flop },
      };
    }
    const samples = patient.sample(images, 'gradients');
    const shape = [samples.count, ...model.input];
    // Dropout is random in every step and cannot be compared; without it, the rest can.
    const layers = model.layers.map((layer) =>
      layer.op === 'dropout' ? { ...layer, attributes: { p: 0 } } : layer,
    );
    return patient.withTrainer(
      samples,
      samples.count,
      async (trainer) => {
        const { parameters, readback } = trainer;
        const state = await parameters.stateDict(readback);
        const indices = Uint32Array.from({ length: samples.count }, (_, i) => i);
        await patient.train(
          trainer,
          { steps: 1 },
          () => indices,
          () => true,
        );
        const reference = referenceStep(
          layers,
          { shape, x: normalised(samples.images, dataset), labels: Uint32Array.from(samples.labels) },
          (name) => state.get(name)?.data ?? [],
        );
        const norms = [...reference.gradients.values()].map((gradient) => normOf(gradient));
        const floor = FLOOR * Math.max(...norms);
        const errors: { name: string; error: number }[] = [];
        for (const [name, expected] of reference.gradients) {
          const { storage } = parameters.gradient(name);
          if (!storage.home) continue;
          const found = await readback.floats({ ...storage.home, bytes: 4 * elements([expected.length]) });
          const error = normOf(expected.map((value, i) => found[i] - value)) / (normOf(expected) + floor);
          errors.push({ name, error: Number.isFinite(error) ? error : Infinity });
        }
        const [worst] = errors.sort((a, b) => b.error - a.error);
        const chart: FindingChart = {
          kind: 'gauge',
          marks: [{ name: worst.name, value: worst.error }],
          healthy: [0, ROUNDING],
          ends: [1e-8, 1],
          log: true,
        };
        const numbers = { worst: worst.error, parameters: errors.length, images: samples.count };
        const many = errors.filter(({ error }) => error > KINKS).length;
        if (worst.error <= KINKS) {
          return {
            light: worst.error <= ROUNDING ? 'good' : 'watch',
            found: `All ${errors.length} gradients agree with float64; the largest relative error, ${worst.error.toExponential(1)}, is in ${worst.name}.`,
            ...(worst.error <= ROUNDING
              ? {}
              : { advice: 'Larger than a typical rounding error. Run the checks again with another seed.' }),
            numbers,
            chart,
          };
        }
        return {
          light: 'bad',
          found: `${many} of ${errors.length} gradients differ from float64. Worst: ${worst.name}, relative error ${(100 * worst.error).toPrecision(2)} %.`,
          advice:
            'Update your browser and graphics driver, and report your GPU. As a workaround, pin another algorithm in the Lab.',
          numbers,
          chart,
        };
      },
      layers,
    );
  },
};

export default gradients;
