// Prints the path of a Chrome or Chromium, which it installs if there is none; in continuous integration it installs the
// other browsers, too. A program of its own: what imports browser.mjs may be bundled, and installs nothing unasked.
import { ensureBrowser, headlessShell } from './browser.mjs';
import { installOthers } from './other-browsers.mjs';

try {
  const browser = ensureBrowser();
  console.log(browser);
  if (browser === '/usr/bin/chromium' && headlessShell().executablePath === browser)
    console.error('The journeys take half as long with it: apt-get install chromium-headless-shell');
  if (process.env.CI) installOthers();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
