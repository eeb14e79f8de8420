/** Reads a network of another program, and keeps it among the runs. */
import { accuracy as accuracyText } from '../../base/accuracy.ts';
import { Failure } from '../../base/result.ts';
import { elements, sameShape } from '../../base/shape.ts';
import { uniqueId } from '../../base/unique-id.ts';
import { writeSafetensors } from '../../data/formats/safetensors.ts';
import { OWN } from '../../data/own/info.ts';
import { inferShapes } from '../../engine/network.ts';
import { importFiles } from '../../exchange/files.ts';
import type { Imported } from '../../exchange/imported.ts';
import { ASSUMPTIONS, type AssumedTexts } from '../../exchange/inferred/assumptions.ts';
import { weightsMetadata } from '../../models/file/weights.ts';
import { CurveLog } from '../../run/metrics/curve-log.ts';
import type { TrainingLog } from '../../run/metrics/log.ts';
import { completed } from '../../run/settings/rules.ts';
import type { AssumedField, GivenFile, ModelChoice, NetworkReport } from '../api.ts';
import { modelOf } from '../builder/choice.ts';
import { asOwn } from '../data/own.ts';
import { predictHere } from '../predict/predict.ts';
import { addRun } from '../runs/add.ts';
import type { Services } from '../services.ts';

interface HeldNetwork {
  id: string;
  file: string;
  network: Imported;
  log?: TrainingLog;
  kept?: Promise<string>;
}

/** Networks of other programs: the one that was read last is held, for what is done with it. */
export class NetworkImports {
  private held: HeldNetwork | undefined;

  constructor(private readonly services: Services) {}

  /** @throws Failure `bad-file`, `unsupported` or `not-found`, with the place of what is wrong */
  async read(
    given: readonly GivenFile[],
    choice: ModelChoice | undefined,
    assumed?: AssumedTexts,
  ): Promise<NetworkReport> {
    const model = choice === undefined ? undefined : await modelOf(choice);
    const read = { id: uniqueId(), ...(await importFiles(given.map(asOwn), { model, assumed })) };
    this.held = read;
    return { id: read.id, ...reportOf(read.file, read.network, read.log) };
  }

  /** @throws Failure as `predictSet`; `not-found` if another network was read since; `bad-input` if the data set has other classes */
  async check(id: string, dataset: string): Promise<{ accuracy: number; count: number }> {
    const { file, network } = this.get(id);
    const bytes = weightsFile(network);
    const { accuracy, logits, classes } = await predictHere(
      this.services,
      { name: file, bytes },
      { dataset },
    );
    if (accuracy === undefined)
      throw new Failure('bad-input', `${file} has other classes than the data set.`, 'Choose another one.');
    return { accuracy, count: logits.length / classes.length };
  }

  /** @throws Failure `not-found` if another network was read since, `storage` if it cannot be written */
  async keep(id: string): Promise<string> {
    const held = this.get(id);
    held.kept ??= keep(this.services, held);
    return held.kept;
  }

  private get(id: string): HeldNetwork {
    if (this.held?.id === id) return this.held;
    throw new Failure('not-found', 'Another network was read since.', 'Choose the file once more.');
  }
}

function reportOf(
  file: string,
  { model, matches = [], notes, assumed }: Imported,
  log: TrainingLog | undefined,
): Omit<NetworkReport, 'id'> {
  const layers = inferShapes(model.layers, [1, ...model.input]).map(({ layer, output, parameters: own }) => ({
    name: layer.name,
    op: layer.op,
    output: output.slice(1),
    parameters: own.reduce((sum, { shape }) => sum + elements(shape), 0),
  }));
  const count = layers.reduce((sum, layer) => sum + layer.parameters, 0);
  return {
    file,
    model,
    layers,
    parameters: count,
    matches,
    notes: log ? [...notes, noteOf(log)] : notes,
    ...(assumed ? { assumed: fieldsOf(assumed) } : {}),
  };
}

function noteOf({ rows, evaluations }: TrainingLog): string {
  const accuracy = evaluations.at(-1)?.testAccuracy;
  const tested = accuracy === undefined ? '' : `, the last test accuracy is ${accuracyText(accuracy)}`;
  return `The log’s curve is kept with it: step ${rows[0].step} to ${lastOf(rows).step}${tested}.`;
}

const lastOf = (rows: TrainingLog['rows']) => rows[rows.length - 1];

const fieldsOf = (assumed: AssumedTexts): AssumedField[] =>
  ASSUMPTIONS.flatMap(({ name, choices }) => {
    const value = assumed[name];
    return value === undefined ? [] : [{ name, value, choices }];
  });

const weightsFile = ({ model, parameters, info }: Imported): Uint8Array<ArrayBuffer> =>
  writeSafetensors(parameters, weightsMetadata({ ...info, model }));

async function keep({ datasets, store }: Services, { file, network, log }: HeldNetwork): Promise<string> {
  const { model, info } = network;
  const known = await datasets.infos();
  const fitting = known.filter(
    ({ shape, classes }) => sameShape(shape, model.input) && classes.length === model.classes,
  );
  const dataset = fitting.find(({ name }) => name === info.dataset) ?? fitting[0];
  const now = Date.now();
  const id = uniqueId();
  const bytes = weightsFile(network);
  const { rows = [], evaluations = [], batchSize } = log ?? {};
  const step = rows.at(-1)?.step ?? 0;
  const settings = completed(batchSize === undefined ? {} : { batchSize });
  const curve = new CurveLog(settings.batchSize);
  curve.add(rows);
  curve.complete();
  const points = curve.points();
  const classes =
    info.classes ?? dataset?.classes ?? Array.from({ length: model.classes }, (_, i) => String(i));
  await addRun(
    store,
    {
      name: file.replace(/\.\w+$/, '').slice(0, 80) || model.title.slice(0, 80),
      imported: { file },
      began: now,
      kept: now,
      config: { ...settings, model, dataset: dataset?.name ?? OWN },
      model: model.title,
      dataset: dataset?.title ?? 'other images',
      classes,
      adapter: '',
      software: false,
      state: 'stopped',
      step,
      epoch: evaluations.at(-1)?.epoch ?? 0,
      trainedMs: 1000 * (points.seconds?.at(-1) ?? 0),
      evaluations,
      choices: {},
      weights: { step },
      sketch: [],
      starred: false,
      note: '',
    },
    id,
    { points, weights: bytes },
  );
  return id;
}
