import { lazily } from '../../base/lazily.ts';
import { attempt } from '../../base/result.ts';
import { modelOf } from '../builder/choice.ts';
import type { Part } from '../part.ts';

const writing = lazily(() => import('../../models/file/write.ts'));
const archiving = lazily(() => import('./archive.ts'));
const weightsFiles = lazily(() => import('./weights.ts'));

const runsPart: Part<'runs'> = ({ gpu, runs }) => ({
  runWeights: () => attempt(() => runs.weights()),
  holdWeights: (id) =>
    attempt(() => {
      gpu.requireIdle();
      return runs.holdWeights(id);
    }),
  holdWeightsFile: (id, bytes) =>
    attempt(async () => runs.starts.bring(id, (await weightsFiles()).readWeights(bytes))),
  packRun: (files) => attempt(async () => (await archiving()).packRun(files)),
  unpackRun: (name, bytes) => attempt(async () => (await archiving()).unpackRun(name, bytes)),
  modelFile: (model) => attempt(async () => (await writing()).toJson(await modelOf(model))),
});

export default runsPart;
