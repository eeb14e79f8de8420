import { lazily } from '../../base/lazily.ts';
import { attempt } from '../../base/result.ts';
import type { WorkerPart } from '../part.ts';
import { fittedEntry } from './choice.ts';

const building = lazily(() => import('./builder.ts'));
const folding = lazily(() => import('./fold.ts'));
const parsing = lazily(() => import('../../models/file/parse.ts'));

const builderPart: WorkerPart<'builder'> = ({ gpu, runs }) => ({
  buildCatalogue: () => attempt(async () => (await building()).buildCatalogue()),
  describeModel: (model) => attempt(async () => (await building()).describeModel(model)),
  modelFor: (model, images) => attempt(() => fittedEntry(model, images)),
  modelCode: (model, language) => attempt(async () => (await building()).modelCode(model, language)),
  readModel: (name, text) => attempt(async () => (await parsing()).parseModel(name, text)),
  foldModel: () => attempt(() => gpu.run('fold', async () => (await folding()).foldReport(runs.run))),
});

export default builderPart;
