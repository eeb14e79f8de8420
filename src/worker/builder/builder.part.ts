import { readModelFile } from '../../models/file/config.ts';
import type { WorkerPart } from '../part.ts';
import { buildCatalogue, describeModel, modelCode } from './builder.ts';
import { foldReport } from './fold.ts';

const builderPart: WorkerPart<'builder'> = ({ gpu, runs }) => ({
  buildCatalogue,
  describeModel,
  modelCode,
  readModel: readModelFile,
  foldModel: () => gpu.run('fold', () => foldReport(runs.run)),
});

export default builderPart;
