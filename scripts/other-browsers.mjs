// Firefox and WebKitGTK, in which the page is tested beside Chromium. Without them the journeys of e2e/browsers are
// skipped aloud.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isLeftOut } from './left-out.mjs';

/** What a browser is made of here: each part with the Debian package that has it. */
const PARTS = {
  firefox: { package: 'firefox-esr', find: () => program('firefox-esr') ?? program('firefox') },
  /** Vulkan in software: WebGPU of Firefox where there is no GPU. */
  lavapipe: { package: 'mesa-vulkan-drivers', find: () => fileIn('/usr/share/vulkan/icd.d', /^lvp_icd/) },
  webDriver: { package: 'webkit2gtk-driver', find: () => program('WebKitWebDriver') },
  miniBrowser: { package: 'webkit2gtk-driver', find: miniBrowser },
  /** WebKitGTK draws on a screen, and has no headless mode. */
  xvfb: { package: 'xvfb', find: () => program('Xvfb') },
};

/** @returns the path of a part, or undefined if it is not installed, or left out */
export const findPart = (name) => (isLeftOut(PARTS[name].package) ? undefined : PARTS[name].find());

/** How to install what lacks of these parts; undefined if nothing does. */
export function howToInstall(names) {
  const packages = lackingOf(names);
  return packages.length > 0 ? `apt-get install -y ${packages.join(' ')}` : undefined;
}

const lackingOf = (names) => [
  ...new Set(names.filter((name) => findPart(name) === undefined).map((name) => PARTS[name].package)),
];

function program(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

function fileIn(folder, pattern) {
  const name = existsSync(folder) ? readdirSync(folder).find((file) => pattern.test(file)) : undefined;
  return name && join(folder, name);
}

/** In a folder of the machine's kind: /usr/lib/x86_64-linux-gnu/webkit2gtk-4.1 */
function miniBrowser() {
  const kinds = existsSync('/usr/lib') ? readdirSync('/usr/lib') : [];
  return kinds.map((kind) => `/usr/lib/${kind}/webkit2gtk-4.1/MiniBrowser`).find((path) => existsSync(path));
}

/** Installs what lacks, if this may: as root on Debian and its kin. Never fails: what is not there is not tested. */
export function installOthers() {
  const packages = lackingOf(Object.keys(PARTS)).filter((name) => !isLeftOut(name));
  if (packages.length === 0) return;
  const how = `apt-get install -y ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error(`Not installed: ${how} (as root, on Debian)`);
    return;
  }
  const done = apt('update') && apt('install', '-y', '--no-install-recommends', ...packages);
  if (!done) console.error(`Failed: ${how}`);
}

/** With its output on standard error. */
function apt(...words) {
  const env = { DEBIAN_FRONTEND: 'noninteractive', ...process.env };
  const options = ['-qq', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=15'];
  return spawnSync('apt-get', [...options, ...words], { stdio: ['ignore', 2, 2], env }).status === 0;
}
