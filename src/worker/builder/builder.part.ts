import { parseModel } from '../../models/file/parse.ts';
import type { WorkerPart } from '../part.ts';
import { buildCatalogue, describeModel, modelCode } from './builder.ts';
import { foldReport } from './fold.ts';

const builderPart: WorkerPart<'builder'> = ({ gpu, runs }) => ({
  buildCatalogue,
  describeModel,
  modelCode,
  readModel: parseModel,
  foldModel: () => gpu.run('fold', () => foldReport(runs.run)),
});

export default builderPart;
