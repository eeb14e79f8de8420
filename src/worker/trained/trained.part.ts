import type { Part } from '../part.ts';
import { predictTrained } from './trained.ts';

const trainedPart: Part<'trained'> = (services) => ({
  predictTrained: (image) => predictTrained(image, services.pageUrl, fetch),
});

export default trainedPart;
