import type { Part } from '../part.ts';
import { predictNext } from './next.ts';
import { predictHere } from './predict.ts';

const predictPart: Part<'predict'> = (services) => ({
  predictSet: (...request) => predictHere(services, ...request),
  predictNext: (...request) => predictNext(services, ...request),
});

export default predictPart;
