/** Brings something into sight, gliding unless the person wants less motion: scripts have to ask for that themselves. */
export function glideTo(element: Element | null, block: ScrollLogicalPosition = 'start'): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element?.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block });
}
