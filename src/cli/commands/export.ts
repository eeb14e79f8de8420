import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { Failure } from '../../base/result.ts';
import { datasets } from '../../data/catalogue.ts';
import { fileOf } from '../../data/files.ts';
import { EXPORTERS, type ExportFormat, type Exporter, type Files } from '../../exchange/exporters.ts';
import { foldModel } from '../../models/file/folded.ts';
import { requireFit, type Trained } from '../../models/file/weights.ts';
import { isStream, writeOutput } from '../../node/files.ts';
import { placeOf } from '../../node/place.ts';
import { choice, flag, inputFile, optional, text, withDefault } from '../arguments.ts';
import { checkpointFiles, type SavedRun } from '../checkpointing.ts';
import { command } from '../command.ts';
import { pageFolder, readFiles } from '../data.ts';
import { modelNames, modelText } from '../model.ts';
import type { OutputFile } from '../outputs.ts';
import { readTrained, trainedAtCheckpoint } from '../weights.ts';

const FORMATS = Object.keys(EXPORTERS) as ExportFormat[];
const NORMALISING = FORMATS.filter((name) => 'normalises' in EXPORTERS[name]).join(' and ');

export default command({
  summary: 'Write a trained network for other programs, also with batch norm folded',
  options: {
    weights: optional(inputFile('FILE.safetensors', 'trained parameters', 'weights')),
    model: optional(modelText(`their model, if the file does not contain it: ${modelNames()}`)),
    checkpoint: optional({
      ...text('FILE', 'or a checkpoint written by train --checkpoint'),
      reads: checkpointFiles,
    }),
    to: withDefault(choice(FORMATS, 'the format'), 'safetensors'),
    out: text('PATH', 'write the file here; for formats of several files, a folder'),
    fold: flag('Fold batch norm into the layers before it, for inference.'),
    'raw-input': flag('Leave the normalisation out: the network takes images that are normalised already.'),
  },
  async run({
    options: { weights, model, checkpoint, to, out, fold, 'raw-input': raw },
    print,
    note,
    outputs,
  }) {
    const exporter: Exporter = EXPORTERS[to];
    const main: OutputFile = { path: out, ...(to === 'safetensors' && { kind: 'weights' }) };
    if (exporter.kind === 'file') await outputs.claim('--out', [main]);
    if (raw && !exporter.normalises)
      throw new Failure(
        'bad-input',
        `--raw-input: of the formats, only ${NORMALISING} contain the normalisation in the network`,
        'Omit it.',
      );
    const { trained, run } = await subjectOf({ weights, model, checkpoint }, note);
    if (fold && exporter.trains)
      throw new Failure(
        'bad-input',
        `--fold: a ${exporter.title} project trains on, with its batch norm`,
        'Omit it.',
      );
    const { folded, ...network } = fold
      ? foldModel(trained.model, trained.parameters)
      : { ...trained, folded: [] };
    const name = exporter.kind === 'file' ? basename(out, extname(out)) : trained.model.name;
    const files = await exporter.write({ ...trained, ...network }, name, {
      run,
      data: exporter.trains ? await shippedFiles(trained, run) : undefined,
      normalise: !raw,
      note,
    });
    const [first, ...others] = pathsOf(files, exporter.kind, out);
    // Nothing lies beside a device or pipe.
    const written = exporter.kind === 'file' && isStream(await placeOf(out)) ? [first] : [first, ...others];
    const claimed = (exporter.kind === 'file' ? written.slice(1) : written).map((path) => ({ path }));
    await outputs.claimIn('--out', claimed);
    const contents = [...files.values()];
    for (const [i, path] of written.entries()) await writeOutput(path, contents[i]);
    const earlier = join(out, 'checkpoint.pt');
    if (to === 'pytorch' && existsSync(earlier))
      note(`${earlier} is of an earlier export: train.py resumes from it. Delete it to start from this one.`);
    print({
      ...(to === 'safetensors' ? { weights: written[0], model: written[1] } : { format: to, files: written }),
      layers_folded: folded.length,
    });
  },
});

interface SubjectOptions {
  weights: string | undefined;
  model: string | undefined;
  checkpoint: string | undefined;
}

/** @throws Failure `bad-input` unless there are either weights or a checkpoint */
async function subjectOf(
  { weights, model, checkpoint }: SubjectOptions,
  note: (message: string) => void,
): Promise<{ trained: Trained; run?: SavedRun }> {
  if ((weights === undefined) === (checkpoint === undefined))
    throw new Failure('bad-input', 'expected either --weights or --checkpoint');
  if (checkpoint !== undefined) {
    if (model !== undefined) throw new Failure('bad-input', '--model: a checkpoint contains its model');
    return trainedAtCheckpoint(checkpoint, note);
  }
  const trained = await readTrained(weights as string, model);
  requireFit(weights as string, trained.model, trained.parameters);
  return { trained };
}

/** The files of a data set that comes with wgrad, by name, unless the run was trained on other files. */
async function shippedFiles({ info }: Trained, run: SavedRun | undefined): Promise<Files | undefined> {
  const name = info.dataset;
  if (name === undefined || !datasets.has(name) || run?.options?.['data-dir'] !== undefined) return undefined;
  const dataset = datasets.get(name);
  if (!dataset.shipped) return undefined;
  const files = await readFiles(dataset, pageFolder(dataset));
  return new Map([...files].map(([role, bytes]) => [fileOf(dataset, role).name, Uint8Array.from(bytes)]));
}

/** @returns the paths, in the files' order */
function pathsOf(files: Files, kind: Exporter['kind'], out: string): string[] {
  const folder = kind === 'folder' ? out : dirname(out);
  return [...files.keys()].map((name, i) => (kind === 'file' && i === 0 ? out : join(folder, name)));
}
