/** What drawings share, so that they read on light and dark pages. */

/** Okabe and Ito, "Color Universal Design" (2008): told apart by the colour-blind, on white and on black. */
export const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];

export const STYLE =
  '<style>text{font:12px system-ui,sans-serif;fill:#444}.grid{stroke:#8884}.mark{stroke:#888;stroke-dasharray:4 4}' +
  '@media(prefers-color-scheme:dark){text{fill:#ccc}}</style>';

/** Text as it may stand in an SVG. */
export const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Pixels, without digits that nobody sees. */
export const tenths = (pixels: number): number => Math.round(10 * pixels) / 10;
