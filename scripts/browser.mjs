// Finds a Chrome or Chromium on this machine, or installs one.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { isLeftOut } from './left-out.mjs';

const NAMES = [
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'google-chrome-beta',
  'microsoft-edge',
];

/** Of Debian's Chromium: the end of its headless shell's name, and of the package. */
const SHELL = '-headless-shell';

/** The browser's program, or undefined if none is installed. CHROME_PATH takes precedence. */
export function findBrowser() {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) {
    if (!works(CHROME_PATH)) throw new Error(`CHROME_PATH is ${CHROME_PATH}, which is no Chrome that runs`);
    return CHROME_PATH;
  }
  return places().find(works);
}

/**
 * The browser without windows: opening a page takes half as much of the processor as in the browser. Debian has it as a package,
 * and Playwright downloads it with its own Chromium. Without one, the browser itself.
 *
 * @returns {Pick<import('@playwright/test').LaunchOptions, 'executablePath' | 'channel'>}
 */
export function headlessShell() {
  const browser = findBrowser();
  if (isLeftOut(SHELL)) return { executablePath: browser };
  if (browser === chromium.executablePath()) return { channel: 'chromium-headless-shell' };
  const shell = `${browser}${SHELL}`;
  return { executablePath: existsSync(shell) ? shell : browser };
}

/** The browser's program; installs one if there is none. Throws an error with advice if that fails. */
export function ensureBrowser() {
  return findBrowser() ?? downloaded() ?? packaged() ?? giveUp();
}

/** Paths of browsers, in the order of preference. */
function places() {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((dir) => NAMES.map((name) => join(dir, name)));
  switch (process.platform) {
    case 'darwin':
      return ['/Applications', join(homedir(), 'Applications')]
        .flatMap((dir) =>
          ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
            (name) => `${dir}/${name}.app/Contents/MacOS/${name}`,
          ),
        )
        .concat(chromium.executablePath());
    case 'win32':
      return ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
        .flatMap((name) => process.env[name] ?? [])
        .flatMap((dir) => [
          join(dir, 'Google/Chrome/Application/chrome.exe'),
          join(dir, 'Chromium/Application/chrome.exe'),
          join(dir, 'Microsoft/Edge/Application/msedge.exe'),
        ])
        .concat(chromium.executablePath());
    default:
      return [...found, '/opt/google/chrome/chrome', '/snap/bin/chromium', chromium.executablePath()];
  }
}

/**
 * True if the program exists and runs: some systems have a placeholder that only explains how to install the real one.
 */
function works(program) {
  try {
    accessSync(program, constants.X_OK);
  } catch {
    return false;
  }
  // On Windows, asking for the version opens a window.
  if (process.platform === 'win32') return true;
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return status === 0 && /Chrom|Edge/.test(stdout);
}

/** By Playwright's download. */
function downloaded() {
  console.error('No Chrome or Chromium found: downloading one with Playwright.');
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  if (!run(process.execPath, [cli, 'install', 'chromium'])) return undefined;
  // Installs the system packages that the download needs, which requires root.
  if (isRoot() && process.platform === 'linux') run(process.execPath, [cli, 'install-deps', 'chromium']);
  return findBrowser();
}

/** By the system's package manager. */
function packaged() {
  if (!isRoot() || !existsSync('/usr/bin/apt-get')) return undefined;
  console.error('The download failed: installing the package "chromium".');
  const install = (name) => run('apt-get', ['install', '-y', '--no-install-recommends', name]);
  const done = run('apt-get', ['update']) && install('chromium');
  // Older systems lack it.
  if (done) install(`chromium${SHELL}`);
  return done ? findBrowser() : undefined;
}

function giveUp() {
  throw new Error(
    'There is no Chrome or Chromium here, and none could be installed. Install one (npx playwright install --with-deps ' +
      'chromium, or the package "chromium" as root), or say in CHROME_PATH where it is.',
  );
}

/** Runs a program with its output on standard error. */
function run(program, words) {
  const env = {
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000',
    DEBIAN_FRONTEND: 'noninteractive',
    ...process.env,
  };
  return spawnSync(program, words, { stdio: ['ignore', 2, 2], env }).status === 0;
}

const isRoot = () => process.getuid?.() === 0;
