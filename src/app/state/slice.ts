import type { StateCreator } from 'zustand';
import type { AppState } from './store.ts';

/** Makes one part of the store; it may read and set the others. */
export type Slice<T> = StateCreator<AppState, [], [], T>;
