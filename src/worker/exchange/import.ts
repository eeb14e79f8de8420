/** Reads a network of another program, and keeps it among the runs. */
import { Failure } from '../../base/result.ts';
import { elements, sameShape } from '../../base/shape.ts';
import { uniqueId } from '../../base/unique-id.ts';
import { writeSafetensors } from '../../data/formats/safetensors.ts';
import { OWN } from '../../data/own/info.ts';
import { openFiles, type OwnFile } from '../../data/own/open.ts';
import { inferShapes } from '../../engine/network.ts';
import { importNetwork, isNetwork } from '../../exchange/importers.ts';
import type { Imported } from '../../exchange/imported.ts';
import { ASSUMPTIONS, type AssumedTexts } from '../../exchange/inferred/assumptions.ts';
import { parseModel } from '../../models/file/parse.ts';
import { weightsMetadata } from '../../models/file/weights.ts';
import { noPoints } from '../../run/metrics/points.ts';
import { completed } from '../../run/settings/rules.ts';
import type { AssumedField, GivenFile, ModelChoice, NetworkReport } from '../api.ts';
import { modelOf } from '../builder/choice.ts';
import { asOwn } from '../data/own.ts';
import { predictHere } from '../predict/predict.ts';
import { addRun } from '../runs/add.ts';
import type { Services } from '../services.ts';

/** The largest file that is read. */
const MAX_BYTES = 2 ** 30;

/** The network that was read last. */
let held: { file: string; network: Imported; kept?: Promise<string> } | undefined;

/** @throws Failure `bad-file`, `unsupported` or `not-found`, with the place of what is wrong */
export async function readNetwork(
  given: readonly GivenFile[],
  choice: ModelChoice | undefined,
  assumed?: AssumedTexts,
): Promise<NetworkReport> {
  // PyTorch's files are zips themselves.
  const isZip = ({ path }: GivenFile) => /\.zip$/i.test(path);
  const files = [
    ...(await openFiles(given.filter(isZip).map(asOwn), 1)),
    ...given.filter((one) => !isZip(one)).map(asOwn),
  ];
  const byName = new Map(files.map((file) => [nameOf(file), file]));
  const names = [...byName.keys()];
  const file = names.find(isNetwork) ?? names.find((name) => /\.json$/i.test(name)) ?? names[0];
  const main = byName.get(file);
  if (!main) throw new Failure('bad-input', 'expected a file, found none');
  const json = names.find((name) => name !== file && /\.json$/i.test(name));
  const beside = async (name: string) => {
    const found = byName.get(name);
    return found && bytesOf(found);
  };
  // The model of weights can be chosen with them, as export writes it.
  const own = choice === undefined ? undefined : await modelOf(choice);
  const model = json === undefined ? own : await modelIn(json, beside);
  const network = await importNetwork(file, await bytesOf(main), { model, beside, assumed });
  held = { file, network };
  return reportOf(file, network);
}

const nameOf = ({ path }: Pick<OwnFile, 'path'>): string => path.slice(path.lastIndexOf('/') + 1);

async function bytesOf({ path, bytes, read }: OwnFile): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes > MAX_BYTES)
    throw new Failure('bad-file', `${path}: expected at most ${MAX_BYTES} bytes, found ${bytes}`);
  return new Uint8Array(await read());
}

async function modelIn(name: string, beside: (name: string) => Promise<Uint8Array | undefined>) {
  return parseModel(name, new TextDecoder().decode(await beside(name)));
}

function reportOf(file: string, { model, matches = [], notes, assumed }: Imported): NetworkReport {
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
    notes,
    ...(assumed ? { assumed: fieldsOf(assumed) } : {}),
  };
}

const fieldsOf = (assumed: AssumedTexts): AssumedField[] =>
  ASSUMPTIONS.flatMap(({ name, choices }) => {
    const value = assumed[name];
    return value === undefined ? [] : [{ name, value, choices }];
  });

const noNetwork = (): Failure =>
  new Failure('not-found', 'No network was read.', 'Choose its file once more.');

/** @throws Failure as `predictSet`; `bad-input` if the data set has other classes */
export async function checkNetwork(
  services: Services,
  dataset: string,
): Promise<{ accuracy: number; count: number }> {
  if (!held) throw noNetwork();
  const { file, network } = held;
  const bytes = weightsFile(network);
  const { accuracy, logits, classes } = await predictHere(services, { name: file, bytes }, { dataset });
  if (accuracy === undefined)
    throw new Failure('bad-input', `${file} has other classes than the data set.`, 'Choose another one.');
  return { accuracy, count: logits.length / classes.length };
}

const weightsFile = ({ model, parameters, info }: Imported): Uint8Array<ArrayBuffer> =>
  writeSafetensors(parameters, weightsMetadata({ ...info, model }));

/** @throws Failure `not-found` if none was read, `storage` if it cannot be written */
export async function keepNetwork(services: Services): Promise<string> {
  if (!held) throw noNetwork();
  const { file, network } = held;
  held.kept ??= keep(services, file, network);
  return held.kept;
}

async function keep({ datasets, store }: Services, file: string, network: Imported): Promise<string> {
  const { model, info } = network;
  const known = await datasets.infos();
  const fitting = known.filter(
    ({ shape, classes }) => sameShape(shape, model.input) && classes.length === model.classes,
  );
  const dataset = fitting.find(({ name }) => name === info.dataset) ?? fitting[0];
  const now = Date.now();
  const id = uniqueId();
  const bytes = weightsFile(network);
  const classes =
    info.classes ?? dataset?.classes ?? Array.from({ length: model.classes }, (_, i) => String(i));
  await addRun(
    store,
    {
      name: file.replace(/\.\w+$/, '').slice(0, 80) || model.title.slice(0, 80),
      imported: { file },
      began: now,
      kept: now,
      config: { ...completed({}), model, dataset: dataset?.name ?? OWN },
      model: model.title,
      dataset: dataset?.title ?? 'other images',
      classes,
      adapter: '',
      software: false,
      state: 'stopped',
      step: 0,
      epoch: 0,
      trainedMs: 0,
      evaluations: [],
      choices: {},
      weights: { step: 0 },
      sketch: [],
      starred: false,
      note: '',
    },
    id,
    { points: noPoints(), weights: bytes },
  );
  return id;
}
