// `npm run peers`: installs the libraries beside which wgrad is measured (peers/package.json), unless they are here already.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../peers/', import.meta.url);
const wanted = readFileSync(new URL('package-lock.json', folder), 'utf8');
/** What was installed last. */
const mark = new URL('node_modules/.installed', folder);

if (!existsSync(mark) || readFileSync(mark, 'utf8') !== wanted) {
  console.error('Installing the libraries of peers/');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(folder),
    // Standard output is for results.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status === 0) writeFileSync(mark, wanted);
  else process.exitCode = 1;
}
