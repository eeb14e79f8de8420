import { lazy, Suspense, useEffect, useState } from 'react';
import { TAKES_TEXT } from '../actions/hotkeys.ts';
import { DataDialogs } from '../data/DataDialogs.tsx';
import { LessonPlace } from '../screens/lessons/player/LessonPlace.tsx';
import { go, hrefOf } from '../route.ts';
import { useShareDialog } from '../share/dialog.ts';
import { useApp } from '../state/store.ts';
import { TourPlace } from '../tour/TourPlace.tsx';

const CommandPalette = lazy(async () => ({ default: (await import('./CommandPalette.tsx')).CommandPalette }));

const ShareDialog = lazy(async () => ({ default: (await import('../share/ShareDialog.tsx')).ShareDialog }));

/** What opens above every screen, Ctrl or Cmd K the command palette; and "?", which opens Help. */
export function Overlays() {
  const [isShown, setShown] = useState(false);
  const [typed, setTyped] = useState('');
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.repeat) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setTyped('');
        setShown((now) => !now);
        return;
      }
      if (event.key !== '?' || event.ctrlKey || event.metaKey || !useApp.getState().hotkeys) return;
      if (event.target instanceof Element && event.target.closest(TAKES_TEXT)) return;
      event.preventDefault();
      go(hrefOf('help'));
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  const shares = useShareDialog((state) => state.open !== undefined);
  return (
    <>
      <Suspense fallback={null}>
        <TourPlace />
        <LessonPlace />
        <DataDialogs />
        {shares && <ShareDialog />}
      </Suspense>
      <Suspense fallback={<TypedAhead onType={setTyped} />}>
        {isShown && <CommandPalette typed={typed} onClose={() => setShown(false)} />}
      </Suspense>
    </>
  );
}

/** Takes what is typed while the palette is fetched, which would act on the page otherwise. */
const TypedAhead = ({ onType }: { onType(text: string): void }) => (
  <input
    ref={borrowFocus}
    className="unseen"
    aria-label="Commands"
    onChange={({ target }) => onType(target.value)}
  />
);

/** Takes the focus, and gives it back to what had it. */
function borrowFocus(element: HTMLElement | null) {
  const before = document.activeElement;
  element?.focus();
  return () => {
    if (before instanceof HTMLElement) before.focus();
  };
}
