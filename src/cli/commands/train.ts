import { writeFileSync } from 'node:fs';
import { Failure } from '../../base/result.ts';
import { datasets } from '../../data/catalogue.ts';
import { readSafetensors, writeSafetensors } from '../../data/formats/safetensors.ts';
import { foldBatchNorm } from '../../engine/fold.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import { convLayers, type ConvLayer, type Pin } from '../../engine/ops/conv/choice/layers.ts';
import { DIRECTIONS } from '../../engine/ops/conv/problem.ts';
import { models } from '../../models/index.ts';
import type { Device } from '../../gpu/device.ts';
import { DeviceSupply } from '../../gpu/supply.ts';
import { Session } from '../../train/session.ts';
import { flag, integer, optional, reals, text, texts, withDefault } from '../arguments.ts';
import { command } from '../command.ts';
import { workspaceOption } from '../conv-options.ts';
import { readBytes, readDataset } from '../data.ts';
import { FindDbFile, findDbOption } from '../find-db.ts';
import { adapterLabel, nodeGpu } from '../gpu.ts';
import { readRecipe, recipeOptions } from '../recipe.ts';

export default command({
  summary: 'Trains a model',
  options: {
    model: withDefault(text('NAME', `one of ${models.names().join(', ')}`), 'lenet5'),
    dataset: text('NAME', `one of ${datasets.names().join(', ')}`),
    'data-dir': optional(text('DIR', "the data set's files, directly or in a folder of its name")),
    epochs: optional(integer('N', 'epochs to train', { min: 1 })),
    steps: optional(integer('N', 'or steps', { min: 1 })),
    'batch-size': withDefault(integer('N', 'images a step', { min: 1, max: 65536 }), 64),
    ...recipeOptions,
    seed: withDefault(
      integer('N', 'for parameters, the order of images, and all else that is drawn', { min: 0 }),
      1,
    ),
    'no-shuffle': flag('takes the images in file order, wrapping around'),
    mean: optional(reals('a,b,c', 'mean of each channel, of pixels from 0 to 1')),
    std: optional(reals('a,b,c', 'standard deviation of each channel', { min: 0, above: true })),
    init: optional(text('FILE.safetensors', "parameters to start from, under PyTorch's names")),
    save: optional(text('FILE.safetensors', 'gets the trained parameters')),
    'save-folded': optional(
      text('FILE.safetensors', 'gets them with batch norm folded into the layers before it, to answer with'),
    ),
    'eval-train': flag('evaluates on the training images in the end'),
    'conv-algorithm': withDefault(
      text('NAME|auto', `one of ${convAlgorithms.names().join(', ')}; what find found, or else is predicted`),
      'auto',
    ),
    pin: withDefault(
      texts(
        'LAYER[.DIRECTION]=ALGORITHM[/LAUNCH]',
        'convolutions whose algorithm is set: conv1.fprop=direct',
      ),
      [],
    ),
    workspace: workspaceOption,
    tune: flag('first finds the fastest way for each convolution that is neither pinned nor known'),
    'find-db': findDbOption,
  },
  async run({ options, print, note }) {
    const model = models.get(options.model);
    const info = datasets.get(options.dataset);
    const { epochs, steps } = options;
    if ((epochs === undefined) === (steps === undefined)) {
      throw new Failure('bad-input', 'give either --epochs or --steps');
    }
    const algorithm = options['conv-algorithm'];
    const pins = options.pin.map(readPin);
    if (algorithm !== 'auto') pins.push({ algorithm: convAlgorithms.get(algorithm).name });
    const { workspace } = options;
    const db = await FindDbFile.open(options['find-db']);
    const dataset = await readDataset(info, { dataDir: options['data-dir'], trainOnly: steps !== undefined });
    const channels = (given: readonly number[] | undefined, name: string, usual: readonly number[]) => {
      if (given && given.length !== usual.length) {
        throw new Failure('bad-input', `--${name}: expected ${usual.length} numbers, found ${given.length}`);
      }
      return given ?? usual;
    };
    const mean = channels(options.mean, 'mean', dataset.mean);
    const std = channels(options.std, 'std', dataset.std);
    const stepsPerEpoch = dataset.train.count / options['batch-size'];
    const lastStep = steps ?? Math.ceil(((epochs as number) * dataset.train.count) / options['batch-size']);
    const recipe = readRecipe(options, {
      ...{ steps: lastStep, stepsPerEpoch },
      ...(info.augmentation ? { augmentation: info.augmentation } : {}),
    });
    const initial = options.init && readSafetensors(options.init, await readBytes(options.init)).tensors;

    const supply = new DeviceSupply(nodeGpu, (event) => {
      if (event.state === 'lost') note(`The GPU device was lost: ${event.reason}. Going on with a new one.`);
    });
    if (options.tune) {
      const input = [options['batch-size'], ...model.input];
      await tune(await supply.get(), db, convLayers(model.layers, input), pins, workspace, note);
    }

    let images = 0;
    let epochMs = 0;
    let trainMs = 0;
    let since = performance.now();
    let failure: Failure | undefined;
    const last = { loss: NaN, test_loss: null as number | null, test_accuracy: null as number | null };
    const session = new Session(
      {
        model,
        dataset: { ...dataset, mean, std },
        batchSize: options['batch-size'],
        ...recipe,
        seed: options.seed,
        shuffle: !options['no-shuffle'],
        lastStep,
        ...(initial ? { initial } : {}),
        ...{ pins, workspace, known: (device) => db.known(device) },
      },
      supply,
      {
        state(state, _, error) {
          if (state === 'preparing') note(`Preparing ${model.title} on ${info.title}`);
          if (state === 'training') since = performance.now();
          if (error) failure = new Failure(error.code, error.message, error.advice);
        },
        steps(firstStep, metrics) {
          metrics.forEach(({ loss }, i) => print({ step: firstStep + i, loss }));
          const now = performance.now();
          epochMs += now - since;
          trainMs += now - since;
          since = now;
          images += metrics.length * options['batch-size'];
          last.loss = metrics[metrics.length - 1].loss;
        },
        evaluation({ epoch, trainLoss, loss, accuracy }) {
          [last.test_loss, last.test_accuracy] = [loss, accuracy];
          print({
            epoch,
            train_loss: trainLoss,
            test_loss: loss,
            test_accuracy: accuracy,
            images_per_second: (1000 * images) / epochMs,
            train_seconds: trainMs / 1000,
          });
          images = epochMs = 0;
          since = performance.now();
        },
      },
    );
    session.train();
    await session.settled();
    if (failure) throw failure;
    const evaluation = options['eval-train'] ? await session.evaluate('train') : undefined;
    const trained = await session.stateDict();
    if (options.save) writeFileSync(options.save, writeSafetensors(trained));
    if (options['save-folded']) {
      const { parameters } = foldBatchNorm(model.layers, [1, ...model.input], trained);
      writeFileSync(options['save-folded'], writeSafetensors(parameters));
    }
    print({
      final: true,
      steps: session.steps,
      ...last,
      ...(evaluation ? { train_eval_loss: evaluation.loss, train_eval_accuracy: evaluation.accuracy } : {}),
      conv_choices: session.choices,
      adapter: await adapterLabel(),
    });
    await session.close();
  },
});

/** Measures every convolution that is neither pinned nor known. */
async function tune(
  device: Device,
  db: FindDbFile,
  layers: readonly ConvLayer[],
  pins: readonly Pin[],
  workspace: number,
  note: (message: string) => void,
): Promise<void> {
  for (const { layer, problem, directions } of layers) {
    for (const direction of directions) {
      const fits = (pin: Pin) => (pin.layer ?? layer) === layer && (pin.direction ?? direction) === direction;
      if (pins.some(fits) || db.known(device).entry(problem, direction, 'f32', workspace)) continue;
      const found = await find(device, problem, direction, { workspace });
      await db.record(device, found);
      const { best, tried, elapsedMs, doubt } = found;
      const words = best ? `${best.algorithm}, ${best.launch}` : 'nothing that is right';
      note(`${layer} ${direction}: ${words} of ${tried.length}, in ${(elapsedMs / 1000).toFixed(1)} s`);
      if (doubt !== undefined) note(doubt);
    }
  }
}

/** "conv1.fprop=direct/a thread an output". A layer's name may have dots in it. */
function readPin(word: string): Pin {
  const [, place, algorithm, launch] = /^([^=]+)=([^/]+)(?:\/(.+))?$/.exec(word) ?? [];
  if (place === undefined) {
    throw new Failure(
      'bad-input',
      `--pin: expected LAYER=ALGORITHM or LAYER.DIRECTION=ALGORITHM, found "${word}"`,
    );
  }
  const direction = DIRECTIONS.find((one) => place.endsWith(`.${one}`));
  const layer = direction ? place.slice(0, -direction.length - 1) : place;
  return {
    layer,
    algorithm,
    ...(direction ? { direction } : {}),
    ...(launch === undefined ? {} : { launch }),
  };
}
