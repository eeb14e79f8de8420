/** Where the card of a tour or of a lesson stands, and the mark at what it speaks of. */
import { useEffect, useRef, type RefObject } from 'react';

/** How often the page is looked at, in milliseconds: whether something was done, and where its parts are now. */
export const LOOK_EVERY = 200;

/** Room between the card, its target and the edges of the window, in CSS pixels. */
const MARGIN = 12;

/** What a card leaves in view, if it can: the network at work, the loss and the pad. */
const KEPT = ['[data-tour="network"]', '[data-tour="loss"]', '[data-tour="pad"]'];

let marked: Element | undefined;

function mark(target: Element | undefined): void {
  if (target === marked) return;
  marked?.removeAttribute('data-toured');
  target?.setAttribute('data-toured', '');
  marked = target;
}

/** The first of these elements that is on the screen; others may be on screens that are hidden. */
export const shownTarget = (selector: string | undefined): HTMLElement | undefined =>
  selector === undefined
    ? undefined
    : [...document.querySelectorAll<HTMLElement>(selector)].find((one) => one.checkVisibility());

interface Size {
  width: number;
  height: number;
}

type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/** How much of a box such a card would cover, in square pixels. */
const covered = (at: { x: number; y: number }, { width, height }: Size, box: Box): number =>
  Math.max(0, Math.min(at.x + width, box.right) - Math.max(at.x, box.left)) *
  Math.max(0, Math.min(at.y + height, box.bottom) - Math.max(at.y, box.top));

/**
 * Where a card has its upper left corner: beside its target, and over as little as it can of what is kept in view; a corner
 * has it if there is no target.
 */
export function placeFor(
  card: Size,
  room: Size,
  target?: Box,
  kept: readonly Box[] = [],
): { x: number; y: number } {
  const [right, bottom] = [room.width - card.width - MARGIN, room.height - card.height - MARGIN];
  const corner = { x: right, y: bottom };
  if (!target) return corner;
  const [x, y] = [
    Math.max(MARGIN, Math.min(target.left, right)),
    Math.max(MARGIN, Math.min(target.top, bottom)),
  ];
  const [before, after] = [target.left - card.width - MARGIN, target.right + MARGIN];
  const places = [
    { x: before, y },
    { x: after, y },
    { x: before, y: bottom },
    { x: after, y: bottom },
    { x, y: target.bottom + MARGIN },
    { x, y: target.top - card.height - MARGIN },
    corner,
  ].filter(
    (at) =>
      at.x >= MARGIN && at.x <= right && at.y >= MARGIN && at.y <= bottom && covered(at, card, target) === 0,
  );
  const cost = (at: { x: number; y: number }) => kept.reduce((sum, one) => sum + covered(at, card, one), 0);
  const [best = corner] = places.toSorted((a, b) => cost(a) - cost(b));
  return best;
}

/** Marks the target and puts the card beside it. The style of a phone holds it below. */
function placeBeside(card: HTMLElement, target: HTMLElement | undefined): void {
  mark(target);
  // An open drawer stays in use: it is at the left, and the card in the corner.
  const beside = document.querySelector('[data-drawer]') ? undefined : target;
  const { x, y } = placeFor(
    { width: card.offsetWidth, height: card.offsetHeight },
    { width: innerWidth, height: innerHeight },
    beside?.getBoundingClientRect(),
    KEPT.flatMap((one) => shownTarget(one)?.getBoundingClientRect() ?? []),
  );
  card.style.setProperty('--x', `${x}px`);
  card.style.setProperty('--y', `${y}px`);
  // On a phone, what scrolls has so much room at its end.
  document.documentElement.style.setProperty(
    '--card-room',
    `${innerHeight - card.getBoundingClientRect().top}px`,
  );
}

/** Scrolls as little as it takes to show an element, and further if the card would lie over it. */
function bringIntoView(target: HTMLElement, card: HTMLElement): void {
  target.scrollIntoView({ block: 'nearest' });
  const [box, over] = [target.getBoundingClientRect(), card.getBoundingClientRect()];
  const isCovered =
    box.left < over.right && box.right > over.left && box.top < over.bottom && box.bottom > over.top;
  if (isCovered) target.scrollIntoView({ block: 'start' });
}

/** Where an element is and how high, wherever the page is scrolled to. */
function layoutOf(element: HTMLElement): string {
  let top = 0;
  for (let one: Element | null = element; one instanceof HTMLElement; one = one.offsetParent)
    top += one.offsetTop;
  return `${top} ${element.offsetHeight}`;
}

/**
 * Keeps a card beside the first shown element of a selector, and that element marked. It is brought into view when it comes, and
 * again when parts of the page that arrive later make it larger or push it away.
 * @param subject what the card speaks of: another one is brought into view again
 */
export function useBeside(
  card: RefObject<HTMLElement | null>,
  selector: string | undefined,
  subject: unknown,
): void {
  const seen = useRef<{ subject: unknown; layout: string }>(undefined);
  useEffect(() => {
    const look = () => {
      const target = shownTarget(selector);
      if (!card.current) return;
      placeBeside(card.current, target);
      if (!target) return;
      const layout = layoutOf(target);
      const before = seen.current;
      if (before && before.subject === subject && before.layout === layout) return;
      seen.current = { subject, layout };
      bringIntoView(target, card.current);
    };
    look();
    const looking = setInterval(look, LOOK_EVERY);
    addEventListener('resize', look);
    addEventListener('scroll', look, true);
    return () => {
      mark(undefined);
      document.documentElement.style.removeProperty('--card-room');
      clearInterval(looking);
      removeEventListener('resize', look);
      removeEventListener('scroll', look, true);
    };
  }, [card, selector, subject]);
}

/** Gives the focus to an element, or to the first in it that takes it. */
export function focusIn(target: HTMLElement | undefined): void {
  const takes = 'button, a[href], input';
  (target?.matches(takes) ? target : target?.querySelector<HTMLElement>(takes))?.focus();
}
