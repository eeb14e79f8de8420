import { create } from 'zustand';

/** The dialog of what can be passed on, above any screen: about a kept run by its id, or the run of this page, if any. */
export const useShareDialog = create<{ open: { run: string | undefined } | undefined }>()(() => ({
  open: undefined,
}));

export const openShareDialog = (run?: string): void => useShareDialog.setState({ open: { run } });
export const closeShareDialog = (): void => useShareDialog.setState({ open: undefined });
