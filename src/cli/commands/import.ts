import { basename, dirname, join } from 'node:path';
import { elements } from '../../base/shape.ts';
import { importable, importNetwork } from '../../exchange/importers.ts';
import { inferShapes } from '../../engine/network.ts';
import { optional, output } from '../arguments.ts';
import { command } from '../command.ts';
import { readBytes } from '../../node/read.ts';
import { modelNames, modelText, readModel } from '../model.ts';
import { weightsWithModel, writeModelBeside, writeWeights } from '../weights.ts';

export default command({
  summary: `Read a trained network of another program (${importable()}) as a model and weights`,
  options: {
    model: optional(modelText(`the model of a file that holds only weights: ${modelNames()}`)),
    out: output('FILE.safetensors', 'write the weights here, and the model to FILE.json', weightsWithModel),
  },
  positionals: [
    {
      name: 'FILE',
      summary: `a file of ${importable()}`,
      required: true,
      reads: (path) => [{ path: path as string }],
    },
  ],
  async run({ options: { model: named, out }, positionals: [path], print, note }) {
    const {
      model,
      parameters,
      info,
      notes,
      matches = [],
    } = await importNetwork(basename(path), await readBytes(path), {
      model: named === undefined ? undefined : await readModel(named),
      beside: (name) => readBytes(join(dirname(path), name)),
    });
    notes.forEach(note);
    for (const { name, shape, found, status } of matches) print({ tensor: name, shape, found, status });
    for (const { layer, output: result } of inferShapes(model.layers, [1, ...model.input])) {
      const own = [...parameters].filter(([name]) => name.slice(0, name.lastIndexOf('.')) === layer.name);
      const values = own.reduce((sum, [, { shape }]) => sum + elements(shape), 0);
      print({ layer: layer.name, op: layer.op, output: result.slice(1), parameters: values });
    }
    await writeWeights(out, parameters, { ...info, model });
    const count = [...parameters.values()].reduce((sum, { shape }) => sum + elements(shape), 0);
    print({ final: true, weights: out, model: await writeModelBeside(out, model), parameters: count });
  },
});
