import { requireFit } from '../../models/file/weights.ts';
import { flag, optional, text } from '../arguments.ts';
import { command } from '../command.ts';
import { modelNames } from '../model.ts';
import { readTrained, writeFolded, writeModelBeside, writeWeights } from '../weights.ts';

export default command({
  summary: 'Write weights together with the model that reads them, also with batch norm folded',
  options: {
    weights: text('FILE.safetensors', 'trained parameters'),
    model: optional(text('NAME|FILE.json', `their model, if the file does not contain it: ${modelNames()}`)),
    out: text('FILE.safetensors', 'write the weights here, and the model to FILE.json'),
    fold: flag('Fold batch norm into the layers before it, for inference.'),
  },
  async run({ options: { weights, model: given, out, fold }, print }) {
    const trained = await readTrained(weights, given);
    const { model, parameters, info } = trained;
    requireFit(weights, model, parameters);
    if (fold) {
      const { modelFile, folded } = writeFolded(out, trained);
      print({ weights: out, model: modelFile, layers_folded: folded.length });
      return;
    }
    writeWeights(out, parameters, { ...info, model });
    print({ weights: out, model: writeModelBeside(out, model), layers_folded: 0 });
  },
});
