import { adaptiveAvgPool, avgPool } from './avg.ts';
import { adaptiveMaxPool, maxPool } from './max.ts';

export default [maxPool, avgPool, adaptiveMaxPool, adaptiveAvgPool];
