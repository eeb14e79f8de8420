import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { beforeAll } from 'vitest';
import { runCommandLine } from '../command-line.ts';

export interface Ended {
  /** Null if it was killed. */
  status: number | null;
  out: string;
  err: string;
}

/** Runs a command line in this process, where kernels and modules are compiled once for all tests. */
export async function wgrad(...words: string[]): Promise<Ended & { status: number }> {
  let [out, err] = ['', ''];
  const status = await runCommandLine(words, { out: (text) => (out += text), err: (text) => (err += text) });
  return { status, out, err };
}

/** The results that a command printed. */
export const linesOf = <T = Record<string, unknown>>(out: string): T[] =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

/** Beside the package `webgpu`, which the program imports. */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));
const PREFIX = 'wgrad-test-';

/**
 * The command line as a program, for tests of what only a process has; built once for all test files.
 * @returns its path
 */
export function builtProgram(): string {
  const folder = join(CACHE, `${PREFIX}${process.ppid}`);
  beforeAll(async () => {
    removeLeft();
    if (existsSync(folder)) return;
    const own = `${folder}-${process.pid}`;
    const configFile = fileURLToPath(new URL('../../../vite.cli.config.ts', import.meta.url));
    await build({ configFile, logLevel: 'silent', build: { outDir: own, emptyOutDir: true } });
    if (existsSync(folder)) rmSync(own, { recursive: true });
    else renameSync(own, folder);
  });
  return join(folder, 'wgrad.mjs');
}

/** Removes the programs of test runs that have ended. */
function removeLeft(): void {
  for (const name of existsSync(CACHE) ? readdirSync(CACHE) : []) {
    if (!name.startsWith(PREFIX)) continue;
    const [run] = name.slice(PREFIX.length).split('-');
    if (!isAlive(Number(run))) rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}

function isAlive(process_: number): boolean {
  try {
    return process.kill(process_, 0);
  } catch {
    return false;
  }
}

export interface Start {
  /** Called with the standard output so far whenever there is more of it. */
  onOutput?(out: string, child: ChildProcess): void;
  /** Closes standard output before anything is written, as `head` does. */
  hangUp?: boolean;
  env?: NodeJS.ProcessEnv;
}

/** Runs a program as a process of its own. */
export function start(
  program: string,
  words: readonly string[],
  { onOutput, hangUp = false, env }: Start = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (text: Buffer) => {
      out += text.toString();
      onOutput?.(out, child);
    });
    child.stderr.on('data', (text: Buffer) => (err += text.toString()));
    if (hangUp) child.stdout.destroy();
    child.on('close', (status) => resolve({ status, out, err }));
  });
}
