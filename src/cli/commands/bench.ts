import { Failure } from '../../base/result.ts';
import { TILES } from '../../engine/gemm/tiles.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { DIRECTIONS } from '../../engine/ops/conv/problem.ts';
import { optimizers } from '../../engine/optimizers/registry.ts';
import { models } from '../../models/index.ts';
import { choice, flag, integer, optional, text, withDefault } from '../arguments.ts';
import { benchConv } from '../bench/conv.ts';
import { benchGemm } from '../bench/gemm.ts';
import { benchStep } from '../bench/step.ts';
import { suiteNames, suiteProblems } from '../bench/suites.ts';
import { command } from '../command.ts';
import { adapterLabel, openNodeDevice } from '../gpu.ts';

export default command({
  summary: 'Times matrix products, convolutions or training steps',
  positionals: [{ name: 'gemm|conv|step', summary: 'what to time', required: true }],
  options: {
    suite: withDefault(text('NAME', `conv: one of ${suiteNames().join(', ')}`), 'lenet5'),
    direction: withDefault(choice([...DIRECTIONS, 'all'], 'conv: which way'), 'all'),
    algorithm: withDefault(text('NAME|all', `conv: one of ${convAlgorithms.names().join(', ')}`), 'all'),
    model: withDefault(text('NAME', `step: one of ${models.names().join(', ')}`), 'lenet5'),
    optimizer: withDefault(choice(optimizers.names(), 'step: how parameters are updated'), 'sgd'),
    'batch-size': optional(
      integer('N', "images at once (default: 128, or the suite's)", { min: 1, max: 65536 }),
    ),
    size: optional(
      integer('N', 'gemm: rows and columns, a multiple of 4 (default: 1024, 2048 and 4096)', {
        min: 4,
        max: 16384,
      }),
    ),
    tiles: flag('gemm: every tile instead of the one that would be chosen'),
    profile: flag('step: each kernel on its own too'),
    iterations: withDefault(integer('N', 'samples of each time', { min: 3, max: 10000 }), 20),
    json: flag('prints JSON lines, as it does without'),
  },
  async run({ options, positionals: [what], print }) {
    const { iterations: samples } = options;
    if (what !== 'gemm' && what !== 'conv' && what !== 'step') {
      throw new Failure('bad-input', `expected gemm, conv or step, found "${what}"`);
    }
    if (options.size !== undefined && options.size % 4 !== 0) {
      throw new Failure('bad-input', `--size: expected a multiple of 4, found ${options.size}`);
    }
    const problems = what === 'conv' ? suiteProblems(options.suite, options['batch-size']) : [];
    const algorithms =
      options.algorithm === 'all' ? convAlgorithms.names() : [convAlgorithms.get(options.algorithm).name];
    const model = models.get(options.model);
    const device = await openNodeDevice();
    const adapter = await adapterLabel();
    if (what === 'gemm') {
      // A software adapter would need minutes for what a GPU does in milliseconds.
      const usual = device.adapter.software ? [128, 256, 512] : [1024, 2048, 4096];
      for (const size of options.size === undefined ? usual : [options.size]) {
        for (const tile of options.tiles ? TILES.map(({ tile: one }) => one) : [undefined]) {
          print({ ...(await benchGemm(device, { size, ...(tile ? { tile } : {}), samples })), adapter });
        }
      }
    }
    for (const problem of problems) {
      for (const direction of options.direction === 'all' ? DIRECTIONS : [options.direction]) {
        for (const algorithm of algorithms) {
          print({
            suite: options.suite,
            ...(await benchConv(device, { problem, direction, algorithm }, { samples })),
            adapter,
          });
        }
      }
    }
    if (what === 'step') {
      const batchSize = options['batch-size'] ?? 128;
      print({
        ...(await benchStep(
          device,
          { model, batchSize, optimizer: options.optimizer, samples },
          options.profile,
        )),
        adapter,
      });
    }
    device.destroy();
  },
});
