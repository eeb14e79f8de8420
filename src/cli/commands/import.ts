import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { elements } from '../../base/shape.ts';
import { Failure } from '../../base/result.ts';
import { importFiles } from '../../exchange/files.ts';
import { importable } from '../../exchange/importers.ts';
import { inferShapes } from '../../engine/network.ts';
import { ASSUMPTIONS } from '../../exchange/inferred/assumptions.ts';
import { optional, output, text, texts } from '../arguments.ts';
import { command } from '../command.ts';
import { datasetNames, dataOptions } from '../datasets.ts';
import { filesAt } from '../files-at.ts';
import { engineOption } from '../engine-option.ts';
import { accuracyOn } from '../predict/accuracy.ts';
import { readBytes } from '../../node/read.ts';
import { modelNames, modelText, readModel } from '../model.ts';
import { weightsWithModel, writeModelBeside, writeWeights } from '../weights.ts';

export default command({
  summary: `Read a trained network of another program (${importable()}) as a model and weights`,
  options: {
    model: optional(modelText(`the model of a file that holds only weights: ${modelNames()}`)),
    assume: optional(
      texts(
        'NAME=VALUE',
        `what is known of a network that is inferred from its weights: ${ASSUMPTIONS.map(({ name }) => name).join(', ')}`,
      ),
    ),
    check: optional(text('DATASET', `print its accuracy on the test images of ${datasetNames()}`)),
    ...dataOptions,
    engine: engineOption,
    out: output('FILE.safetensors', 'write the weights here, and the model to FILE.json', weightsWithModel),
  },
  positionals: [
    {
      name: 'FILE',
      summary: `a file of ${importable()}, or a folder, archive or notebook that export wrote`,
      required: true,
      reads: (path) => [{ path: path as string }],
    },
  ],
  async run({ options, positionals: [path], print, note }) {
    const { model: named, assume, check, out } = options;
    if (named !== undefined && assume)
      throw new Failure('bad-input', '--assume applies to inferred networks, not together with --model');
    const given = await filesAt(path, `Expected a file of ${importable()}, or a folder.`);
    const {
      model,
      parameters,
      info,
      notes,
      matches = [],
      assumed,
    } = (
      await importFiles(given, {
        model: named === undefined ? undefined : await readModel(named),
        assumed: assume && assumedIn(assume),
        beside: (name) => besideOf(path, name),
      })
    ).network;
    notes.forEach(note);
    for (const { name, shape, found, status } of matches) print({ tensor: name, shape, found, status });
    for (const { layer, output: result } of inferShapes(model.layers, [1, ...model.input])) {
      const own = [...parameters].filter(([name]) => name.slice(0, name.lastIndexOf('.')) === layer.name);
      const values = own.reduce((sum, [, { shape }]) => sum + elements(shape), 0);
      print({ layer: layer.name, op: layer.op, output: result.slice(1), parameters: values });
    }
    if (assumed) print({ assumed });
    const trained = { model, parameters, info };
    const accuracy =
      check === undefined ? {} : await accuracyOn(check, { ...options, weights: path }, trained, note);
    await writeWeights(out, parameters, { ...info, model });
    const count = [...parameters.values()].reduce((sum, { shape }) => sum + elements(shape), 0);
    print({
      final: true,
      weights: out,
      model: await writeModelBeside(out, model),
      parameters: count,
      ...accuracy,
    });
  },
});

/** A file in the same folder. */
async function besideOf(path: string, name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = join(dirname(path), name);
  return existsSync(file) ? readBytes(file) : undefined;
}

/** "activation=tanh". Which names there are and what they can be, the reader says. */
function assumedIn(settings: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=');
      if (at < 1) throw new Failure('bad-input', `--assume: expected NAME=VALUE, found "${setting}"`);
      return [setting.slice(0, at), setting.slice(at + 1)] as const;
    }),
  );
}
