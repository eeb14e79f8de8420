import { useEffect, useEffectEvent, type RefObject } from 'react';

/** Calls back when Escape is pressed in an element, unless something in it has made use of it. */
export function useEscape(element: RefObject<HTMLElement | null>, escaped: () => void): void {
  const escape = useEffectEvent(escaped);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      escape();
    };
    const target = element.current;
    target?.addEventListener('keydown', pressed);
    return () => target?.removeEventListener('keydown', pressed);
  }, [element]);
}
