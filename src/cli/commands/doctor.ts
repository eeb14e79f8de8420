import { selectImages } from '../../data/select.ts';
import { matchText, matchWeights } from '../../models/file/match.ts';
import { fitConfig, requireConsistent, type TrainingConfig } from '../../train/config.ts';
import { examine } from '../../train/doctor/examine.ts';
import type { PatientConfig } from '../../train/doctor/patient.ts';
import { recommend } from '../../train/doctor/recommend.ts';
import { checks, checksInOrder } from '../../train/doctor/registry.ts';
import { normalisedAs } from '../../train/fork.ts';
import { optional, text } from '../arguments.ts';
import { command } from '../command.ts';
import { engineOption } from '../engine-option.ts';
import { datasetNames, dataOptions, dataWanted, readNamedDataset } from '../datasets.ts';
import { adapterLabel, openNodeDevice } from '../../node/gpu.ts';
import { modelOption, readModel } from '../model.ts';
import { Undone } from '../undone.ts';
import { optionName, readSettings, settingOptions } from '../settings.ts';
import { readInitialWeights } from '../weights.ts';

/** Epochs, longer than any warm-up: only the start of the run is examined. */
const LONG = 1e9;

export default command({
  summary: 'Check a model, its data and settings for common training problems, one check per line',
  options: {
    model: modelOption,
    dataset: text('NAME', `one of ${datasetNames()}`),
    ...dataOptions,
    ...settingOptions(['start', 'batch', 'optimizer', 'augmentation', 'schedule', 'more', 'data', 'seed']),
    checks: optional(text('NAME,...', `some of ${checks.names().join(', ')} (default: all)`)),
    engine: engineOption,
  },
  async run({ options, print, note }) {
    const model = await readModel(options.model);
    const chosen = options.checks?.split(',').map((name) => checks.get(name.trim())) ?? checksInOrder();
    const { dataset: all } = await readNamedDataset(options.dataset, {
      shape: model.input,
      ...dataWanted(options),
      note,
    });
    const settings = readSettings(options);
    const dataset = await selectImages(all, settings, optionName);
    requireConsistent({ ...settings, epochs: LONG }, optionName);
    const patient = await withWeights(fitConfig({ ...settings, model, dataset }), note);
    const device = await openNodeDevice({ engine: options.engine });
    const findings = await examine(device, patient, {
      checks: chosen,
      onCheck: ({ title }) => note(title),
      onFinding: (finding) => {
        const { numbers, ms, chart: _, ...rest } = finding;
        print({ ...rest, ...numbers, seconds: Number((ms / 1000).toFixed(3)) });
      },
    });
    const count = (light: string) => findings.filter((finding) => finding.light === light).length;
    print({
      final: true,
      good: count('good'),
      watch: count('watch'),
      bad: count('bad'),
      skipped: count('skipped'),
      recommendation: recommend(findings, patient.lr) ?? null,
      adapter: await adapterLabel(options.engine),
    });
    device.destroy();
    const undone = new Undone();
    // Of all checks, those that apply are wanted.
    for (const { check, light, found } of options.checks === undefined ? [] : findings)
      if (light === 'skipped') undone.add(`the check ${check}: ${found}`);
    undone.refuse();
  },
});

/** The network with the weights of --weights, as a run starts from them. */
async function withWeights(fresh: TrainingConfig, note: (message: string) => void): Promise<PatientConfig> {
  const { initialWeights: name } = fresh;
  if (name === undefined) return fresh;
  const given = await readInitialWeights(name);
  const { rows, parameters } = matchWeights(
    `--weights: those of ${name}`,
    fresh.model,
    given.parameters,
    fresh,
  );
  note(`${name}: ${matchText(rows)}`);
  const dataset = normalisedAs(fresh.dataset, given.normalisation);
  return { ...fresh, dataset, initial: parameters, weights: parameters };
}
