// `npm run build && node bench/frameworks.mjs [short|full]`: the study "One LeNet, several frameworks" in Chromium. Prints its
// JSON, and writes that and the table of contenders to bench/dist/results/.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { preview } from 'vite';
import { findBrowser } from '../scripts/browser.mjs';

const size = process.argv[2] === 'full' ? 'Full' : 'Short';
const server = await preview({ preview: { port: 0 }, logLevel: 'warn' });
const browser = await chromium.launch({
  executablePath: findBrowser(),
  // Containers have no sandbox; the others let WebGPU and WebGL take SwiftShader where there is no GPU.
  args: ['--no-sandbox', '--enable-unsafe-webgpu', '--enable-unsafe-swiftshader'],
});
const page = await browser.newPage({ serviceWorkers: 'block' });
await page.goto(`${server.resolvedUrls?.local[0]}#/studies/frameworks`);
await page.getByText(size, { exact: true }).click();
await page.getByRole('button', { name: 'Run here' }).click();
await page.getByText(`${size} run in `).waitFor({ timeout: 1_800_000 });
const [file] = await Promise.all([
  page.waitForEvent('download'),
  page.getByRole('button', { name: 'JSON', exact: true }).click(),
]);
const json = readFileSync(await file.path(), 'utf8');
await page.getByText(/^\d+ more rows$/).click();
const [heads, ...rest] = await page
  .getByRole('table', { name: 'The contenders' })
  .getByRole('row')
  // Below a number is another machine's, in small print.
  .evaluateAll((found) =>
    found.map(({ cells }) => Array.from(cells, (cell) => cell.innerText.split('\n')[0])),
  );
// The second part of the table repeats its head.
const rows = [heads, ...rest.filter(([first]) => first !== heads[0])];
const runtime = `Chromium ${browser.version()}`;
await browser.close();
await server.close();

const [, device] = /; ([^;]*)$/.exec(rows[1].at(-1)) ?? [];
const slug = (device ?? 'no GPU').replace(/\(.*/, '').trim().toLowerCase().replace(/\W+/g, '-');
const [head, ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
const rule = rows[0].map((name) => (/Library|Level|Backend|Version|Outcome/.test(name) ? '---' : '--:'));
const table = [head, `| ${rule.join(' | ')} |`, ...body].join('\n');
const path = fileURLToPath(new URL(`dist/results/frameworks-${slug}`, import.meta.url));
mkdirSync(new URL('dist/results/', import.meta.url), { recursive: true });
const when = new Date().toISOString();
writeFileSync(`${path}.json`, json);
writeFileSync(`${path}.md`, `# One LeNet, several frameworks\n\n${size}; ${runtime}; ${when}\n\n${table}\n`);
console.log(json);
console.error(`${table}\n\n${path}.json and .md`);
