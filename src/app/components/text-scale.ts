/** How much larger the page's text is than the usual 16 pixels. */
export const textScale = (): number =>
  parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;
