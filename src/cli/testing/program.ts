import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll } from 'vitest';
import { V8_OPTIONS } from '../../../scripts/v8-options.mjs';
import { runCommandLine } from '../command-line.ts';
import { Interruption } from '../interruption.ts';

export interface Ended {
  /** Null if it was killed. */
  status: number | null;
  /** The signal that killed it. */
  signal?: NodeJS.Signals | null;
  /** The number of its process, if it had one of its own. */
  pid?: number | undefined;
  out: string;
  err: string;
}

/** Runs a command line in this process, where kernels and modules are compiled once for all tests. */
export const wgrad = (...words: string[]): Promise<Ended & { status: number }> =>
  interrupted(words, () => false);

/** The same, interrupted as by Ctrl-C as soon as what it has printed fulfils `when`. */
export async function interrupted(
  words: readonly string[],
  when: (out: string) => boolean,
): Promise<Ended & { status: number }> {
  let [out, err] = ['', ''];
  let isOver = false;
  const interruption = new Interruption();
  const status = await runCommandLine(words, {
    out(text) {
      out += text;
      if (isOver || !when(out)) return;
      isOver = true;
      interruption.happen(() => undefined);
    },
    err: (text) => (err += text),
    interruption,
  });
  return { status, out, err };
}

/** A folder for the tests of one file, and command lines that are written as a person types them: "@name" is a path there. */
export function testFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'wgrad-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const words = (line: string): string[] =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? (word.startsWith('@') ? join(folder, word.slice(1)) : word),
    );
  return {
    folder,
    at: (name: string): string => join(folder, name),
    words,
    run: (line: string) => wgrad(...words(line)),
    interrupted: (line: string, when: (out: string) => boolean) => interrupted(words(line), when),
  };
}

/** The results that a command printed. */
export const linesOf = <T = Record<string, unknown>>(out: string): T[] =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

/** Folders of the project, as the built program's own: beside the packages that it imports. */
const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const PREFIX = 'dist-cli-test-';

/**
 * The command line as a program, for tests of what only a process has; built once for all test files.
 * @param entry another program, by its path from src/cli
 * @returns its path
 */
export function builtProgram(entry = 'main.ts'): string {
  const folder = join(PROJECT, `${PREFIX}${process.ppid}-${entry.replaceAll('/', '.')}`);
  beforeAll(async () => {
    removeLeft();
    if (existsSync(folder)) return;
    const own = `${folder}-${process.pid}`;
    const configFile = fileURLToPath(new URL('../../../vite.cli.config.ts', import.meta.url));
    const ssr = fileURLToPath(new URL(`../${entry}`, import.meta.url));
    await build({ configFile, logLevel: 'silent', build: { ssr, outDir: own, emptyOutDir: true } });
    if (existsSync(folder)) rmSync(own, { recursive: true });
    else renameSync(own, folder);
  });
  return join(folder, 'wgrad.mjs');
}

/** Removes the programs of test runs that have ended. */
function removeLeft(): void {
  for (const name of readdirSync(PROJECT)) {
    if (!name.startsWith(PREFIX)) continue;
    const [run] = name.slice(PREFIX.length).split('-');
    if (!isAlive(Number(run))) rmSync(join(PROJECT, name), { recursive: true, force: true });
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
  /** Closes standard output, or standard error, before anything is written, as `head` does. */
  hangUp?: boolean | 'err';
  /** A file that is standard error, or standard output; null if it is closed. */
  errFile?: string | null;
  outFile?: string | null;
  env?: NodeJS.ProcessEnv;
  /** Options of Node itself. */
  execArgv?: readonly string[];
}

/** Runs a program as a process of its own. */
export function start(
  program: string,
  words: readonly string[],
  { onOutput, hangUp = false, errFile, outFile, env, execArgv = [] }: Start = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const files = [outFile, errFile].map((file) =>
      file === undefined ? 'pipe' : file === null ? 'ignore' : openSync(file, 'a'),
    );
    const child = spawn(process.execPath, [...V8_OPTIONS, ...execArgv, program, ...words], {
      stdio: ['ignore', ...files],
      env: { ...process.env, ...env },
    });
    for (const file of files) if (typeof file === 'number') closeSync(file);
    let [out, err] = ['', ''];
    child.stdout?.on('data', (text: Buffer) => {
      out += text.toString();
      onOutput?.(out, child);
    });
    child.stderr?.on('data', (text: Buffer) => (err += text.toString()));
    if (hangUp) (hangUp === 'err' ? child.stderr : child.stdout)?.destroy();
    child.on('close', (status, signal) => resolve({ status, signal, pid: child.pid, out, err }));
  });
}
