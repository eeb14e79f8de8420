// Checks the style sheets: heights of controls and sizes of type come from the scales in src/app/theme.css, and few
// conditions serve all sheets. Prints each violation, or the counts, and exits with status 1 if there are violations.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ file: string, line: number, message: string }} Breach */

/** Three heights of controls; three breakpoints, each from both sides; and what is there besides widths. */
const MOST = { controls: 3, widths: 6, conditions: 12 };

/** Heights in rem between which something is a control. */
const CONTROL = { least: 1.5, most: 2.4 };

/**
 * @param {ReadonlyMap<string, string>} sheets text by path
 * @returns {{ found: { controls: string[], widths: string[], conditions: string[] }, breaches: Breach[] }}
 */
export function checkStyles(sheets) {
  const breaches = [];
  const controls = new Set();
  const conditions = new Set();
  for (const [file, text] of sheets) {
    const code = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));
    const refuse = ({ index }, message) =>
      breaches.push({ file, line: code.slice(0, index).split('\n').length, message });
    for (const [, height] of code.matchAll(/--control-\w+:\s*([\d.]+rem)/g)) controls.add(height);
    for (const [, condition] of code.matchAll(/@((?:media|container)\s[^{]*?)\s*\{/g))
      conditions.add(condition);
    for (const match of code.matchAll(/(?<![\w-])(?:min-)?height:\s*([\d.]+)rem/g))
      if (match[1] >= CONTROL.least && match[1] <= CONTROL.most)
        refuse(match, `expected a control's height to be var(--control-...), found ${match[1]}rem`);
    if (file.startsWith('src/app/'))
      for (const match of code.matchAll(/(?<![\w-])font(?:-size)?:\s[^;]*?([\d.]+(?:rem|em|pt))/g))
        refuse(match, `expected a size of type to be var(--text-...), found ${match[1]}`);
  }
  const widths = [...conditions].filter((condition) => /\bwidth\b/.test(condition));
  const found = { controls: [...controls], widths, conditions: [...conditions] };
  for (const [name, most] of Object.entries(MOST)) {
    const { length } = found[name];
    const message = `expected at most ${most} ${name}, found ${length}: ${found[name].join('; ')}`;
    if (length > most) breaches.push({ file: 'src', line: 1, message });
  }
  return { found, breaches };
}

/** The style sheets below src/. */
export function sheetsOf(root) {
  const files = readdirSync(join(root, 'src'), { recursive: true }).filter((file) => file.endsWith('.css'));
  return new Map(
    files.map((file) => [`src/${file.replaceAll('\\', '/')}`, readFileSync(join(root, 'src', file), 'utf8')]),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { found, breaches } = checkStyles(sheetsOf(fileURLToPath(new URL('..', import.meta.url))));
  for (const { file, line, message } of breaches) console.error(`${file}:${line}: ${message}`);
  const { controls, widths, conditions } = found;
  console.log(
    `${controls.length} heights of controls, ${conditions.length} conditions, ${widths.length} of them on widths`,
  );
  process.exitCode = breaches.length > 0 ? 1 : 0;
}
