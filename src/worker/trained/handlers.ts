import { lazily } from '../../base/lazily.ts';
import { attempt } from '../../base/result.ts';
import type { WorkerPart } from '../part.ts';

const trained = lazily(() => import('./trained.ts'));

const trainedPart: WorkerPart<'trained'> = (services) => ({
  predictTrained: (image) =>
    attempt(async () => (await trained()).predictTrained(image, services.pageUrl, fetch)),
});

export default trainedPart;
