import { lazy, Suspense, useEffect, useState } from 'react';
import { TAKES_TEXT } from '../actions/hotkeys.ts';
import { DataDialogs } from '../data/DataDialogs.tsx';
import { useShareDialog } from '../share/dialog.ts';
import { useApp } from '../state/store.ts';

const CommandPalette = lazy(async () => ({ default: (await import('./CommandPalette.tsx')).CommandPalette }));
const KeyList = lazy(async () => ({ default: (await import('./KeyList.tsx')).KeyList }));

const ShareDialog = lazy(async () => ({ default: (await import('../share/ShareDialog.tsx')).ShareDialog }));

/** What keys open above every screen: Ctrl or Cmd K the command palette, "?" the list of keys. */
export function Overlays() {
  const [shown, setShown] = useState<'palette' | 'keys'>();
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.repeat) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setShown((now) => (now === 'palette' ? undefined : 'palette'));
        return;
      }
      if (event.key !== '?' || event.ctrlKey || event.metaKey || !useApp.getState().hotkeys) return;
      if (event.target instanceof Element && event.target.closest(TAKES_TEXT)) return;
      event.preventDefault();
      setShown('keys');
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  const shares = useShareDialog((state) => state.open !== undefined);
  const close = () => setShown(undefined);
  return (
    <Suspense fallback={null}>
      <DataDialogs />
      {shares && <ShareDialog />}
      {shown === 'palette' && <CommandPalette onClose={close} />}
      {shown === 'keys' && <KeyList onClose={close} />}
    </Suspense>
  );
}
