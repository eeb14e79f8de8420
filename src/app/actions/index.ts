import type { Action } from './action.ts';
import { pause } from './pause.ts';
import { restart } from './restart.ts';
import { stepBatch } from './step-batch.ts';
import { stop } from './stop.ts';
import { train } from './train.ts';

/** In the order of their buttons. */
export const ACTIONS: readonly Action[] = [train, pause, stepBatch, restart, stop];
