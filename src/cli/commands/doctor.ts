import { readSafetensors } from '../../data/formats/safetensors.ts';
import { examine } from '../../train/doctor/examine.ts';
import { checks, checksInOrder } from '../../train/doctor/registry.ts';
import { integer, optional, text, withDefault } from '../arguments.ts';
import { command } from '../command.ts';
import { readBytes } from '../data.ts';
import { datasetNames, readNamedDataset } from '../datasets.ts';
import { adapterLabel, openNodeDevice } from '../../node/gpu.ts';
import { modelOption, readModel } from '../model.ts';
import { readRecipe, recipeOptions } from '../recipe.ts';

export default command({
  summary: 'Examines a model with its data and settings: what often goes wrong in training, one check a line',
  options: {
    model: modelOption,
    dataset: text('NAME', `one of ${datasetNames()}`),
    'data-dir': optional(text('DIR', "the data set's files, directly or in a folder of its name")),
    'batch-size': withDefault(integer('N', 'images a step', { min: 1, max: 65536 }), 64),
    ...recipeOptions,
    seed: withDefault(integer('N', 'for all that is drawn', { min: 0 }), 1),
    weights: optional(
      text('FILE.safetensors', 'parameters that a run has come to, for what is checked of a trained network'),
    ),
    checks: optional(text('NAME,...', `some of ${checks.names().join(', ')} (default: all)`)),
  },
  async run({ options, print, note }) {
    const model = await readModel(options.model);
    const chosen = options.checks?.split(',').map((name) => checks.get(name.trim())) ?? checksInOrder();
    const { dataset } = await readNamedDataset(options.dataset, {
      shape: model.input,
      dataDir: options['data-dir'],
      note,
    });
    // Long enough for any warm-up: only how the run begins is looked at.
    const { optimizer, settings } = readRecipe(options, { steps: Infinity, stepsPerEpoch: 1 });
    const { weights } = options;
    const device = await openNodeDevice();
    const findings = await examine(
      device,
      {
        model,
        dataset,
        optimizer,
        settings,
        batchSize: options['batch-size'],
        seed: options.seed,
        ...(weights ? { weights: readSafetensors(weights, await readBytes(weights)).tensors } : {}),
      },
      {
        checks: chosen,
        onCheck: ({ title }) => note(title),
        onFinding: ({ numbers, ms, ...finding }) =>
          print({ ...finding, ...numbers, seconds: Number((ms / 1000).toFixed(3)) }),
      },
    );
    const count = (light: string) => findings.filter((finding) => finding.light === light).length;
    print({
      final: true,
      good: count('good'),
      watch: count('watch'),
      bad: count('bad'),
      skipped: count('skipped'),
      adapter: await adapterLabel(),
    });
    device.destroy();
  },
});
