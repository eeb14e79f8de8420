import { create } from 'zustand';

/** Ids of the runs that are compared. */
export const usePicked = create<{ ids: readonly string[] }>()(() => ({ ids: [] }));
