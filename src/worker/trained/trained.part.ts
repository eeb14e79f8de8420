import type { WorkerPart } from '../part.ts';
import { predictTrained } from './trained.ts';

const trainedPart: WorkerPart<'trained'> = (services) => ({
  predictTrained: (image) => predictTrained(image, services.pageUrl, fetch),
});

export default trainedPart;
