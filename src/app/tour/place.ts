/** Where the card of a tour stands, and the mark at what it speaks of. */

/** Room between the card, its target and the edges of the window, in CSS pixels. */
const MARGIN = 12;

let marked: Element | undefined;

function mark(target: Element | undefined): void {
  if (target === marked) return;
  marked?.removeAttribute('data-toured');
  target?.setAttribute('data-toured', '');
  marked = target;
}

export const unmark = (): void => mark(undefined);

/** The first of these elements that is on the screen; others may be on screens that are hidden. */
export const shownTarget = (selector: string | undefined): HTMLElement | undefined =>
  selector === undefined
    ? undefined
    : [...document.querySelectorAll<HTMLElement>(selector)].find((one) => one.checkVisibility());

/** Marks the target and puts the card beside it; a corner has the card if there is none. The style of a phone holds it below. */
export function placeBeside(card: HTMLElement, target: HTMLElement | undefined): void {
  mark(target);
  const { offsetWidth: width, offsetHeight: height } = card;
  const [right, bottom] = [innerWidth - width - MARGIN, innerHeight - height - MARGIN];
  let at = { x: right, y: bottom };
  if (target) {
    const box = target.getBoundingClientRect();
    const [x, y] = [Math.max(MARGIN, Math.min(box.left, right)), Math.max(MARGIN, Math.min(box.top, bottom))];
    const sides = [
      { x: box.left - width - MARGIN, y },
      { x: box.right + MARGIN, y },
      { x, y: box.bottom + MARGIN },
      { x, y: box.top - height - MARGIN },
    ];
    at =
      sides.find((side) => side.x >= MARGIN && side.x <= right && side.y >= MARGIN && side.y <= bottom) ?? at;
  }
  card.style.setProperty('--x', `${at.x}px`);
  card.style.setProperty('--y', `${at.y}px`);
}

/** Scrolls as little as it takes to show an element, and further if the card would lie over it. */
export function bringIntoView(target: HTMLElement, card: HTMLElement): void {
  target.scrollIntoView({ block: 'nearest' });
  const [box, over] = [target.getBoundingClientRect(), card.getBoundingClientRect()];
  const isCovered =
    box.left < over.right && box.right > over.left && box.top < over.bottom && box.bottom > over.top;
  if (isCovered) target.scrollIntoView({ block: 'start' });
}

/** Gives the focus to an element, or to the first in it that takes it. */
export function focusIn(target: HTMLElement | undefined): void {
  const takes = 'button, a[href], input';
  (target?.matches(takes) ? target : target?.querySelector<HTMLElement>(takes))?.focus();
}
