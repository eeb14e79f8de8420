import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Icon, type IconName } from './Icon.tsx';
import { useEscape } from './use-escape.ts';
import styles from './Popover.module.css';

interface PopoverProps {
  /** The accessible name of the button, and of what it opens. */
  label: string;
  /** What the button shows. */
  face: ReactNode;
  className?: string | undefined;
  title?: string | undefined;
  tone?: string | undefined;
  onOpen?(): void;
  children: ReactNode;
}

/** Room between a popover and the edges of the window, and its button, in CSS pixels. */
const MARGIN = 8;

/** A button that opens a panel beside it. Escape, a press elsewhere, a link and moving the focus away close it. */
export function Popover({ label, face, className, title, tone, onOpen, children }: PopoverProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        title={title}
        data-tone={tone}
        aria-label={label}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => {
          if (!open) onOpen?.();
          setOpen(!open);
        }}
      >
        {face}
      </button>
      {open && (
        <Floating id={id} label={label} anchor={button} onLeave={() => setOpen(false)} onEscape={close}>
          {children}
        </Floating>
      )}
    </>
  );
}

interface FloatingProps {
  id: string;
  label: string;
  anchor: React.RefObject<HTMLElement | null>;
  onLeave(): void;
  onEscape(): void;
  children: ReactNode;
}

/** The panel, above everything else on the page, so that nothing that scrolls clips it. */
function Floating({ id, label, anchor, onLeave, onEscape, children }: FloatingProps) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [element, button] = [panel.current, anchor.current];
    if (!element || !button) return undefined;
    const place = () => {
      const at = button.getBoundingClientRect();
      const { offsetWidth: width, offsetHeight: height } = element;
      const below = at.bottom + MARGIN + height <= innerHeight;
      const top = below ? at.bottom + MARGIN : at.top - MARGIN - height;
      const left = at.left + width + MARGIN <= innerWidth ? at.left : at.right - width;
      element.style.top = `${Math.max(MARGIN, Math.min(top, innerHeight - height - MARGIN))}px`;
      element.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
    };
    place();
    element.focus({ preventScroll: true });
    const resized = new ResizeObserver(place);
    resized.observe(element);
    addEventListener('resize', place);
    return () => {
      resized.disconnect();
      removeEventListener('resize', place);
    };
  }, [anchor]);
  useEscape(panel, onEscape);
  const leave = useEffectEvent((event: Event) => {
    const { target } = event;
    if (target instanceof Node && (panel.current?.contains(target) || anchor.current?.contains(target)))
      return;
    onLeave();
  });
  useEffect(() => {
    const left = (event: Event) => leave(event);
    const events = ['pointerdown', 'focusin', 'hashchange'];
    for (const name of events) addEventListener(name, left, true);
    return () => {
      for (const name of events) removeEventListener(name, left, true);
    };
  }, []);
  return createPortal(
    <div ref={panel} id={id} role="dialog" aria-label={label} tabIndex={-1} className={styles.panel}>
      {children}
    </div>,
    document.body,
  );
}

/** An explanation in two layers. */
export interface InLayers {
  /** A sentence for somebody who has never heard of it. */
  everyday: ReactNode;
  /** The precise one, behind "More". */
  more: ReactNode;
  /** Where the glossary has its word. */
  link?: string;
}

export type Explanation = ReactNode | InLayers;

const isInLayers = (explanation: Explanation): explanation is InLayers =>
  typeof explanation === 'object' && explanation !== null && 'everyday' in explanation;

/** What stands beside the thing itself, and whether there is more to read of it. */
export const firstLayer = (explanation: Explanation): { said: ReactNode; hasMore: boolean } =>
  isInLayers(explanation)
    ? { said: explanation.everyday, hasMore: true }
    : { said: explanation, hasMore: false };

interface ExplainProps {
  /** What it explains: "Confusion matrix". */
  of: string;
  icon?: IconName;
  children: Explanation;
}

/** A small button with an explanation behind it: in everyday words first, and precisely for who wants more. */
export const Explain = ({ of, icon = 'info', children }: ExplainProps) => (
  <Popover label={`About: ${of}`} face={<Icon name={icon} />} className={styles.explain}>
    <div className={`soft ${styles.explanation}`}>
      {isInLayers(children) ? (
        <>
          <p>{children.everyday}</p>
          <details>
            <summary>More</summary>
            <p>{children.more}</p>
            {children.link !== undefined && <a href={children.link}>In the glossary</a>}
          </details>
        </>
      ) : (
        children
      )}
    </div>
  </Popover>
);
