import { Registry } from '../../base/registry.ts';
import { adam, adamw } from './adam.ts';
import muon from './muon.ts';
import type { Optimizer } from './optimizer.ts';
import rmsprop from './rmsprop.ts';
import sgd from './sgd.ts';

export const optimizers = new Registry<Optimizer>('optimizer', [sgd, adam, adamw, rmsprop, muon]);
