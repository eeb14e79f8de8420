import { join } from 'node:path';
import { toJson } from '../../models/file/write.ts';
import { models } from '../../models/index.ts';
import { summarise, type Model } from '../../models/model.ts';
import { writeOutput } from '../../node/files.ts';
import { optional, text } from '../arguments.ts';
import { command } from '../command.ts';
import { modelFiles, readModel } from '../model.ts';

export default command({
  summary: 'List models, or export them as editable JSON files',
  positionals: [
    { name: 'NAME|FILE.json', summary: 'one model (default: all)', required: false, reads: modelFiles },
  ],
  options: { 'out-dir': optional(text('DIR', 'write one NAME.json per model here')) },
  async run({ options: { 'out-dir': folder }, positionals: [given], print, outputs }) {
    const chosen = given === undefined ? models.all() : [await readModel(given)];
    const fileOf = ({ name }: Model) => (folder === undefined ? undefined : join(folder, `${name}.json`));
    const files = chosen.flatMap((model) => fileOf(model) ?? []);
    await outputs.claimIn(
      '--out-dir',
      files.map((path) => ({ path, kind: 'model' })),
    );
    for (const model of chosen) {
      const file = fileOf(model);
      if (file !== undefined) await writeOutput(file, toJson(model));
      print({ ...describe(model), file });
    }
  },
});

const describe = (model: Model) => ({
  name: model.name,
  title: model.title,
  family: model.family,
  input: model.input,
  classes: model.classes,
  layers: model.layers.length,
  parameters: summarise(model).parameters,
});
