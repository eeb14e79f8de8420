/** A tab of WebKitGTK, driven by WebDriver: https://www.w3.org/TR/webdriver2 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { findPart } from '../../scripts/other-browsers.mjs';
import { freePort } from '../browser.ts';
import type { Control, ShownValue } from '../run.ts';
import type { TabPoint, Tab } from './tab.ts';

/** How WebDriver names an element in JSON. */
type Element = Record<'element-6066-11e4-a52e-4f735466cecf', string>;
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** The drawing pad, as an expression. */
const PAD = `document.querySelector('[role=img][aria-label^="Drawing pad"]')`;

/** How long an element may take to appear. */
const PATIENCE_MS = 300_000;

export class WebKitTab implements Tab {
  private constructor(
    private readonly session: Session,
    private readonly base: string,
    private readonly processes: readonly ChildProcess[],
  ) {}

  /** @param base the address of the page */
  static async start(base: string): Promise<WebKitTab> {
    const processes: ChildProcess[] = [];
    const xvfb = spawn(findPart('xvfb') ?? '', ['-displayfd', '3', '-screen', '0', '1600x1200x24'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    processes.push(xvfb);
    const [display] = (await once(xvfb.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
    const port = await freePort();
    const env = {
      ...process.env,
      DISPLAY: `:${display.toString().trim()}`,
      // It reads the language from here, and JavaScript has no language "C".
      LANG: 'en_US.UTF-8',
      // OpenGL in software takes longer to paint than the processor. It still composes layers, on threads of its own: without
      // them, what trains waits for what is painted.
      WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1',
    };
    processes.push(spawn(findPart('webDriver') ?? '', [`--port=${port}`], { stdio: 'ignore', env }));
    const session = await Session.open(`http://127.0.0.1:${port}`);
    const tab = new WebKitTab(session, base, processes);
    await session.command('POST', '/window/rect', { x: 0, y: 0, width: 1280, height: 847 });
    return tab;
  }

  async close(): Promise<void> {
    await this.session.command('DELETE', '').catch(() => undefined);
    for (const one of this.processes.toReversed()) one.kill();
  }

  async open(address = ''): Promise<void> {
    await this.session.command('POST', '/url', { url: new URL(address, this.base).href });
  }

  async reload(): Promise<void> {
    await this.session.command('POST', '/refresh', {});
  }

  value = (name: ShownValue): Promise<string> => this.textOf(labelled(name));
  answer = (): Promise<string> => this.textOf(labelled('Prediction'));

  async set(setting: string, value: string): Promise<void> {
    const field = await this.find(labelled(setting));
    await this.session.command('POST', `/element/${field[ELEMENT]}/clear`, {});
    await this.session.command('POST', `/element/${field[ELEMENT]}/value`, { text: value });
  }

  press = (button: Control): Promise<void> => this.click(`button.textContent.trim() === ${text(button)}`);
  pressFirst = (start: string): Promise<void> =>
    this.click(`button.textContent.trim().startsWith(${text(start)})`);

  /** Chooses a file where a person would be asked for one. @param label of the input, which is hidden */
  async upload(label: string, path: string): Promise<void> {
    const input = await this.find(`document.querySelector('input[type=file][aria-label=${text(label)}]')`);
    await this.session.command('POST', `/element/${input[ELEMENT]}/value`, { text: path });
  }

  async draw(points: readonly TabPoint[]): Promise<void> {
    const pad = await this.find(PAD);
    const [width, height] = await this.evaluate<TabPoint>(`((pad) => {
      pad.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { width, height } = pad.getBoundingClientRect();
      return [width, height];
    })(${PAD})`);
    // From the middle of the element.
    const moves = points.map(([x, y]) => ({
      type: 'pointerMove',
      duration: 10,
      origin: pad,
      x: Math.round((x - 0.5) * width),
      y: Math.round((y - 0.5) * height),
    }));
    const [first, ...rest] = moves;
    const actions = [first, { type: 'pointerDown', button: 0 }, ...rest, { type: 'pointerUp', button: 0 }];
    await this.session.command('POST', '/actions', {
      actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }],
    });
  }

  async evaluate<T>(expression: string): Promise<T> {
    const done = 'arguments[0]([value]), (error) => arguments[0]([undefined, String(error)])';
    const [value, error] = await this.session.script<[T, string?]>(
      `(async () => (${expression}))().then((value) => ${done})`,
    );
    if (error !== undefined) throw new Error(`${error}, of ${expression}`);
    return value;
  }

  private async textOf(finder: string): Promise<string> {
    const element = await this.find(finder);
    return this.session.command<string>('GET', `/element/${element[ELEMENT]}/text`);
  }

  private click = (condition: string): Promise<void> =>
    this.clickOn(
      `[...document.querySelectorAll('button')].find((button) => ${condition} && button.getClientRects().length > 0 && !button.ariaDisabled)`,
    );

  /** @param finder an expression in the page */
  async clickOn(finder: string): Promise<void> {
    const element = await this.find(finder);
    await this.session.command('POST', `/element/${element[ELEMENT]}/click`, {});
  }

  /** @param finder an expression in the page */
  private async find(finder: string): Promise<Element> {
    for (const start = Date.now(); Date.now() - start < PATIENCE_MS; await pause(50)) {
      const found = await this.session.script<Element | null>(`arguments[0](${finder} ?? null)`);
      if (found) return found;
    }
    throw new Error(`no element in ${PATIENCE_MS / 1000} s: ${finder}`);
  }
}

/** The visible control or value of a label, as an expression. */
const labelled = (label: string): string =>
  `[...document.querySelectorAll('label')].filter((one) => one.textContent.trim() === ${text(label)} && one.getClientRects().length > 0).map((one) => one.control)[0]`;

const text = (value: string): string => JSON.stringify(value);
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

class Session {
  private constructor(private readonly address: string) {}

  /** Waits until the driver listens. @param driver its address */
  static async open(driver: string): Promise<Session> {
    for (let tries = 0; ; tries++) {
      try {
        await fetch(`${driver}/status`);
        break;
      } catch (error) {
        if (tries >= 1000) throw error;
        await pause(100);
      }
    }
    const browser = { binary: findPart('miniBrowser'), args: ['--automation'] };
    const root = new Session(driver);
    const { sessionId } = await root.command<{ sessionId: string }>('POST', '/session', {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': browser } },
    });
    const session = new Session(`${driver}/session/${sessionId}`);
    await session.command('POST', '/timeouts', { script: 300_000, pageLoad: 300_000 });
    return session;
  }

  /** @throws Error with the driver's response */
  async command<T = null>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<T> {
    const request = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const { value } = (await (await fetch(this.address + path, request)).json()) as { value: unknown };
    const { error, message } = (value ?? {}) as { error?: string; message?: string };
    if (error !== undefined) throw new Error(`WebDriver ${path}: ${error}: ${message}`);
    return value as T;
  }

  /** Runs a script, which calls `arguments[0]` with its result. */
  script = <T>(script: string): Promise<T> => this.command<T>('POST', '/execute/async', { script, args: [] });
}
