/**
 * One way to open a browser by name, and a tab in it. If a browser is not installed, the test is skipped with a
 * message.
 */
import { chromium, firefox, test as plain, expect, type Browser } from '@playwright/test';
import { findPart, howToInstall, type Part } from '../../scripts/other-browsers.mjs';
import { ANY_GPU, browser } from '../browser.ts';
import { atPace, chooseEngine } from '../fixtures.ts';
import { PlaywrightTab, type Tab } from './tab.ts';
import { WebKitTab } from './webdriver.ts';

interface Kind {
  needs: readonly Part[];
  /** @param base the address of the page */
  open(base: string): Promise<{ tab: Tab; close(): Promise<void> }>;
}

const KINDS = {
  Chromium: { needs: [], open: (base) => tabOf(chromium.launch(browser(ANY_GPU)), base) },
  'Chromium with WebGPU': {
    needs: [],
    open: (base) => tabOf(chromium.launch(browser(ANY_GPU)), base, 'gpu'),
  },
  'Firefox with WebGPU': {
    needs: ['firefox', 'lavapipe'],
    open: (base) => tabOf(openFirefox(true), base, 'gpu'),
  },
  'Firefox without WebGPU': { needs: ['firefox'], open: (base) => tabOf(openFirefox(false), base) },
  WebKitGTK: {
    needs: ['webDriver', 'miniBrowser', 'xvfb'],
    async open(base) {
      const tab = await WebKitTab.start(base);
      return { tab, close: () => tab.close() };
    },
  },
} satisfies Record<string, Kind>;

export type BrowserName = keyof typeof KINDS;

/**
 * Firefox of the system, by WebDriver BiDi. WebGPU takes lavapipe there, as Chromium's takes SwiftShader. Each kernel runs a
 * few times, so lavapipe leaves it unoptimised: https://docs.mesa3d.org/envvars.html#envvar-GALLIVM_PERF
 */
async function openFirefox(webGpu: boolean): Promise<Browser> {
  const opened = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: findPart('firefox'),
    firefoxUserPrefs: {
      'dom.webgpu.enabled': webGpu,
      'gfx.webgpu.ignore-blocklist': webGpu,
      // Frames per second: what it paints takes from what trains.
      'layout.frame_rate': 10,
    },
    env: { ...process.env, VK_ICD_FILENAMES: findPart('lavapipe') ?? '', GALLIVM_PERF: 'nopt' },
  });
  leaveMediaAlone(opened);
  return opened;
}

interface Inside {
  _connection: {
    toImpl(one: Browser): {
      _browserSession: { send(command: string, parameters: unknown): Promise<unknown> };
    };
  };
}

/**
 * Playwright 1.65 sets colour schemes by a command that Firefox 153, the ESR, lacks, and has no switch for it. Remove
 * this with the next ESR. https://w3c.github.io/webdriver-bidi/#command-emulation-setMediaFeaturesOverride
 */
function leaveMediaAlone(opened: Browser): void {
  // oxlint-disable-next-line no-underscore-dangle -- there is no other way in
  const session = (opened as unknown as Inside)._connection.toImpl(opened)._browserSession;
  const send = session.send.bind(session);
  session.send = async (command, parameters) =>
    command === 'emulation.setMediaFeaturesOverride' ? {} : send(command, parameters);
}

/** @param engine chosen on an earlier visit: without a choice, the CPU computes instead of a software GPU */
async function tabOf(launched: Promise<Browser>, baseURL: string, engine?: 'gpu') {
  const opened = await launched;
  const page = await opened.newPage({ baseURL, viewport: { width: 1280, height: 800 } });
  if (engine) await chooseEngine(page, engine);
  await atPace(page, 'full');
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
  return {
    tab: new PlaywrightTab(page),
    async close() {
      await opened.close();
      expect(errors, 'errors of the page').toEqual([]);
    },
  };
}

interface Visits {
  /** Opens a tab, which is closed at the end of the test. */
  visit(name: 'WebKitGTK'): Promise<WebKitTab>;
  visit(name: Exclude<BrowserName, 'WebKitGTK'>): Promise<PlaywrightTab>;
  visit(name: BrowserName): Promise<Tab>;
}

export const test = plain.extend<Visits>({
  visit: async ({ baseURL }, provide, info) => {
    const closers: (() => Promise<void>)[] = [];
    const visit = async (name: BrowserName): Promise<Tab> => {
      const { needs, open }: Kind = KINDS[name];
      const how = howToInstall(needs);
      if (how !== undefined) {
        const reason = `${name} is not installed: ${how}`;
        console.warn(`SKIPPED ${info.title}: ${reason}`);
        test.skip(true, reason);
      }
      const { tab, close } = await open(baseURL ?? '');
      closers.push(close);
      return tab;
    };
    await provide(visit as Visits['visit']);
    for (const close of closers) await close();
  },
});

export { expect };
