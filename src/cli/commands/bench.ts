import { NO_AUGMENTATION } from '../../base/augmentation.ts';
import { Failure } from '../../base/result.ts';
import { readSafetensors } from '../../data/formats/safetensors.ts';
import { gpuTiles } from '../../engine/gemm/choose-tile.ts';
import { CPU_TILES } from '../../engine/gemm/tiles.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { chooseAll } from '../../engine/ops/conv/choice/layers.ts';
import { optimizers } from '../../engine/optimizers/registry.ts';
import { USUAL_MIXED } from '../../engine/mixed.ts';
import { stepTrace } from '../../engine/profile/trace.ts';
import { problemKey } from '../../engine/ops/conv/problem.ts';
import { typicalParameters } from '../../engine/typical-parameters.ts';
import { requireBatchNorm } from '../../models/file/folded.ts';
import { models } from '../../models/index.ts';
import { suites } from '../../models/suites.ts';
import {
  choice,
  flag,
  inputFile,
  integer,
  optional,
  output,
  padding,
  text,
  texts,
  withDefault,
} from '../arguments.ts';
import { benchConv } from '../bench/conv.ts';
import { benchFind, regretOf, type SearchComparison } from '../bench/find.ts';
import { benchGemm, randomFactors, readProductSize } from '../bench/gemm.ts';
import { benchInference } from '../bench/infer.ts';
import { benchStep, findChoices } from '../bench/step.ts';
import { command } from '../command.ts';
import { engineOption } from '../engine-option.ts';
import {
  casesOfProblems,
  casesOfSuites,
  directionOption,
  directionsOf,
  launchSizeOf,
  launchSizeOptions,
  layoutOption,
  numberOption,
  suitesNamed,
  workspaceOption,
} from '../conv-options.ts';
import { readBytes } from '../../node/read.ts';
import { writeOutput } from '../../node/files.ts';
import { adapterLabel, openNodeDevice } from '../../node/gpu.ts';
import { modelText, readModel } from '../model.ts';
import { settingOption } from '../settings.ts';
import { findDbOption, openTuningResults } from '../tuning-results.ts';
import { Undone } from '../undone.ts';

/** The largest relative errors of correct results: of products, and of a network's outputs after folding. */
const PRODUCT_ERROR = 1e-4;
const FOLDED_DIFFERENCE = 1e-3;

/** What each kind reads, beside the options of all. */
const PROBLEMS = ['suite', 'problem', 'direction', 'padding', 'layout', 'workspace', 'number', 'batch-size'];
const READ: Readonly<Record<string, readonly string[]>> = {
  gemm: ['size', 'tiles', 'number'],
  conv: [...PROBLEMS, 'algorithm', 'launch', ...Object.keys(launchSizeOptions)],
  find: [...PROBLEMS, 'launches'],
  step: [
    'model',
    'batch-size',
    'optimizer',
    'precision',
    'augment',
    'conv-algorithm',
    'tune',
    'workspace',
    'profile',
    'trace',
  ],
  infer: ['model', 'batch-size', 'init'],
};
const KINDS = Object.keys(READ);
const READ_BY_ALL = ['iterations', 'find-db', 'engine', 'json'];

export default command({
  summary: 'Benchmark matrix multiplications, convolutions, algorithm selection, training steps or inference',
  positionals: [{ name: KINDS.join('|'), summary: 'what to time', required: true }],
  options: {
    suite: withDefault(text('NAME,...', `conv, find: ${suites.names().join(', ')}, or all`), 'lenet5'),
    problem: optional(
      texts('SIZES', 'conv, find: these sizes instead of a suite, such as "n1 c4 32x32 k16 3x3 p1"'),
    ),
    direction: directionOption,
    algorithm: withDefault(
      text('NAME|all|find|get', `conv: one of ${convAlgorithms.names().join(', ')}; fastest; predicted`),
      'all',
    ),
    launch: optional(
      text(
        'NAME',
        "conv: this variant instead of the algorithm's prediction; the start of its name is enough",
      ),
    ),
    ...launchSizeOptions,
    launches: optional(
      integer('N', 'find: maximum number of variants to measure (default: those that may win)', {
        min: 1,
        max: 1000,
      }),
    ),
    padding: optional(padding("conv, find: instead of the suite's")),
    layout: layoutOption,
    workspace: workspaceOption,
    number: numberOption,
    model: withDefault(modelText(`step, infer: one of ${models.names().join(', ')}`), 'lenet5'),
    optimizer: withDefault(choice(optimizers.names(), 'step: optimiser'), 'sgd'),
    precision: settingOption('precision'),
    augment: settingOption('augmentation'),
    'conv-algorithm': settingOption('convAlgorithm'),
    'batch-size': optional(integer('N', "batch size (default: 128, or the suite's)", { min: 1, max: 65536 })),
    size: optional(
      text('N|MxNxK', 'gemm: rows, columns and terms of each sum (default: 1024, 2048 and 4096)'),
    ),
    init: optional(inputFile('FILE.safetensors', 'infer: trained parameters (default: random)')),
    tiles: flag('gemm: every tile size instead of the default one'),
    tune: flag('step: tune convolution algorithms first instead of predicting them'),
    profile: flag('step: also profile each kernel, CPU calls and peak performance'),
    trace: optional(output('FILE.json', 'step: write a trace for ui.perfetto.dev')),
    iterations: withDefault(integer('N', 'samples per measurement', { min: 3, max: 10000 }), 20),
    'find-db': findDbOption,
    engine: engineOption,
    json: flag('print JSON lines (always on)'),
  },
  async run({ options, given, positionals: [what], print }) {
    const { iterations: samples, workspace, number, launch } = options;
    if (!KINDS.includes(what)) {
      throw new Failure('bad-input', `expected ${KINDS.join(', ')}, found "${what}"`);
    }
    refuseUnread(what, given);
    if (launch !== undefined && !convAlgorithms.has(options.algorithm)) {
      throw new Failure('bad-input', '--launch requires --algorithm with a single name');
    }
    const launchSize = launchSizeOf(options, options.algorithm);
    const { problem: problems } = options;
    const ofSuites = ['suite', 'batch-size'].find((name) => problems && given.has(name));
    if (ofSuites !== undefined)
      throw new Failure('bad-input', `expected --problem or --${ofSuites}, found both`);
    const convAlgorithm = options['conv-algorithm'];
    if (options.tune && convAlgorithm !== undefined && convAlgorithm !== 'auto')
      throw new Failure('bad-input', 'give either --tune or --conv-algorithm');
    const changed = {
      ...(given.has('layout') ? { layout: options.layout } : {}),
      ...(options.padding === undefined ? {} : { padding: options.padding }),
    };
    const cases = problems
      ? casesOfProblems(problems, changed)
      : casesOfSuites(options.suite, options['batch-size'], changed);
    const directions = directionsOf(options.direction);
    const algorithms =
      options.algorithm === 'all'
        ? convAlgorithms.names()
        : ['find', 'get'].includes(options.algorithm)
          ? [options.algorithm]
          : [convAlgorithms.get(options.algorithm).name];
    const model = await readModel(options.model);
    if (what === 'infer') requireBatchNorm(model);
    const { init } = options;
    const initial = init === undefined ? undefined : readSafetensors(init, await readBytes(init)).tensors;
    const device = await openNodeDevice({ engine: options.engine });
    // Products and their tiles have nothing to predict.
    if (what !== 'gemm') await (await openTuningResults(options['find-db'])).load(device);
    const adapter = await adapterLabel(options.engine);
    const undone = new Undone();
    if (what === 'gemm') {
      // A processor takes minutes for what a GPU does in milliseconds.
      const usual = device.onProcessor ? [128, 256, 512] : [1024, 2048, 4096];
      for (const size of options.size === undefined ? usual.map(String) : [options.size]) {
        const all = device.adapter.cpu ? CPU_TILES : gpuTiles(device, number);
        const factors = randomFactors(readProductSize(size), number);
        for (const tile of options.tiles ? all : [undefined]) {
          const columns = await benchGemm(device, factors, samples, tile);
          print({ ...columns, adapter });
          if (!(columns.error <= PRODUCT_ERROR))
            undone.add(
              `the multiplication of size ${size} with tiles of ${columns.tile} is incorrect: ${columns.error}`,
            );
        }
      }
    }
    if (what === 'conv') {
      for (const { suite, layer, count, problem } of cases) {
        for (const direction of directions) {
          for (const algorithm of algorithms) {
            const one = { problem, direction, algorithm, launch };
            const columns = await benchConv(device, one, { samples, workspace, number, launchSize });
            print({ suite, layer, count, ...columns, number, adapter });
            const { status, reason } = columns as { status: string; reason?: string };
            // Of all algorithms, those that support a layer are wanted.
            if (status !== 'ok' && !(status === 'unsupported' && options.algorithm === 'all'))
              undone.add(
                `${layer ?? problemKey(problem)} ${direction} by ${algorithm} is ${status}: ${reason}`,
              );
          }
        }
      }
    }
    if (what === 'find') {
      const all: (SearchComparison & { suite: string | undefined })[] = [];
      for (const { suite, layer, count, problem } of cases) {
        for (const direction of directions) {
          const most = options.launches === undefined ? {} : { most: options.launches };
          const columns = await benchFind(device, problem, direction, {
            samples,
            workspace,
            number,
            ...most,
          });
          print({ suite, layer, count, ...columns, adapter });
          const { best_ms, get_ms, search_seconds } = columns;
          if (best_ms !== null && get_ms !== null)
            all.push({ suite, count, best_ms, get_ms, search_seconds });
          else undone.add(`${layer ?? problemKey(problem)} ${direction}: no correct result`);
        }
      }
      const names = problems ? [undefined] : suitesNamed(options.suite);
      for (const suite of names) {
        const own = all.filter((one) => one.suite === suite);
        print({ suite, direction: options.direction, number, ...regretOf(own), adapter });
      }
      if (names.length > 1)
        print({ suites: names, direction: options.direction, number, ...regretOf(all), adapter });
    }
    if (what === 'step') {
      const batchSize = options['batch-size'] ?? 128;
      const mixed = options.precision === 'mixed' ? USUAL_MIXED : undefined;
      const stored = mixed?.number ?? 'f32';
      const choices = options.tune
        ? await findChoices(device, model, batchSize, workspace, stored)
        : convAlgorithm &&
          chooseAll(device, model.layers, [batchSize, ...model.input], {
            algorithm: convAlgorithm,
            workspace,
            number: stored,
          });
      const one = {
        model,
        batchSize,
        optimizer: options.optimizer,
        augmentation: options.augment ?? NO_AUGMENTATION,
        samples,
        choices,
        mixed,
      };
      const profiled = options.profile || options.trace !== undefined;
      const { columns, profile } = await benchStep(device, one, profiled);
      print({ ...columns, choices: choices ?? 'predicted', adapter });
      if (options.trace !== undefined && profile)
        await writeOutput(
          options.trace,
          stepTrace(`${model.title}, batch ${batchSize}, ${adapter}`, profile),
        );
    }
    if (what === 'infer') {
      const input = [options['batch-size'] ?? 128, ...model.input];
      const parameters = initial ?? typicalParameters(model.layers, input);
      const columns = await benchInference(device, { layers: model.layers, input, parameters }, samples);
      print({ model: model.name, batch_size: input[0], ...columns, adapter });
      if (!(columns.largest_difference <= FOLDED_DIFFERENCE))
        undone.add(`the folded network's outputs differ by ${columns.largest_difference}`);
    }
    device.destroy();
    undone.refuse();
  },
});

/** An option without effect would promise a measurement that was not made. @throws Failure `bad-input` */
function refuseUnread(what: string, given: ReadonlySet<string>): void {
  const unread = [...given].find((name) => ![...READ[what], ...READ_BY_ALL].includes(name));
  if (unread === undefined) return;
  const others = KINDS.filter((kind) => READ[kind].includes(unread));
  throw new Failure(
    'bad-input',
    `bench ${what} has no option --${unread}`,
    `It is for bench ${others.join(' and ')}.`,
  );
}
