import { lazily } from '../../base/lazily.ts';
import { attempt } from '../../base/result.ts';
import type { WorkerPart } from '../part.ts';

const predicting = lazily(() => import('./predict.ts'));

const predictingNext = lazily(() => import('./next.ts'));

const predictPart: WorkerPart<'predict'> = (services) => ({
  predictSet: (...request) => attempt(async () => (await predicting()).predictHere(services, ...request)),
  predictNext: (...request) =>
    attempt(async () => (await predictingNext()).predictNext(services, ...request)),
});

export default predictPart;
