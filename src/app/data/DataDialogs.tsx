import { later } from '../components/later.tsx';
import { closeDataDialog, useDataDialog, type DataDialog } from './dialogs.ts';

const DIALOGS: Record<DataDialog, ReturnType<typeof later<{ onClose(): void }>>> = {
  gallery: later('The images', async () => (await import('./Gallery.tsx')).Gallery),
  pictures: later('Own images', async () => (await import('./Pictures.tsx')).Pictures),
  storage: later('Browser storage', async () => (await import('./Storage.tsx')).Storage),
};

/** The dialog about data that is open. */
export function DataDialogs() {
  const open = useDataDialog((state) => state.open);
  if (!open) return null;
  const Open = DIALOGS[open];
  return <Open onClose={closeDataDialog} />;
}
