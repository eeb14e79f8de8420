import { lazily } from '../../base/lazily.ts';
import { attempt } from '../../base/result.ts';
import type { Part } from '../part.ts';

const trained = lazily(() => import('./trained.ts'));

const trainedPart: Part<'trained'> = (services) => ({
  predictTrained: (image) =>
    attempt(async () => (await trained()).predictTrained(image, services.pageUrl, fetch)),
});

export default trainedPart;
