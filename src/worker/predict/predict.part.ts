import type { WorkerPart } from '../part.ts';
import { predictNext } from './next.ts';
import { predictHere } from './predict.ts';

const predictPart: WorkerPart<'predict'> = (services) => ({
  predictSet: (...request) => predictHere(services, ...request),
  predictNext: (...request) => predictNext(services, ...request),
});

export default predictPart;
