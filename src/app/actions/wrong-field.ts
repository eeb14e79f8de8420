/** Leads to the field of a setting that is invalid. */

const FIELD = '[aria-invalid="true"]';
/** What hides fields marks the button that shows them with this attribute while one of them is invalid. */
const OPENER = 'button[data-wrong]';

/** Brings the first field with an error into view, and focuses it. */
export async function showWrongField(): Promise<void> {
  const openers = [...document.querySelectorAll<HTMLElement>(OPENER)];
  while (!focusWrongField()) {
    const opener = openers.shift();
    if (!opener) return;
    opener.click();
    // What it opens may have to be fetched first.
    for (let tries = 0; tries < 20 && !focusWrongField(); tries++)
      await new Promise((drawn) => setTimeout(drawn, 50));
  }
}

/** Returns false if no such field is displayed. */
function focusWrongField(): boolean {
  for (const field of document.querySelectorAll<HTMLElement>(FIELD)) {
    for (let fold = field.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
      fold.open = true;
    field.scrollIntoView({ block: 'center' });
    field.focus({ preventScroll: true });
    if (document.activeElement === field) return true;
  }
  return false;
}
