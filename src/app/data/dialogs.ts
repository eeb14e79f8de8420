import { create } from 'zustand';

/** gallery: the chosen data set's images. pictures: own images by class. storage: what data sets take of it. */
export type DataDialog = 'gallery' | 'pictures' | 'storage';

/** Which dialog about data is open, above any screen. */
export const useDataDialog = create<{ open: DataDialog | undefined }>()(() => ({ open: undefined }));

export const openDataDialog = (open: DataDialog): void => useDataDialog.setState({ open });
export const closeDataDialog = (): void => useDataDialog.setState({ open: undefined });
