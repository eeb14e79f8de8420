/** Finds and runs a command: `wgrad <command> ...`. */
import { Failure } from '../base/result.ts';
import { help, parse, table } from './arguments.ts';
import type { Command } from './command.ts';
import { Interruption } from './interruption.ts';
import { Outputs } from './outputs.ts';

const HELP = ['--help', '-h', 'help'];

/** Loaded on demand, so that `--help` of one command does not wait for all. */
const modules = import.meta.glob<Command>(['./commands/*.ts', '!./commands/*.test.ts'], {
  import: 'default',
});

const commands = new Map(
  Object.entries(modules).map(([path, load]) => [path.slice('./commands/'.length, -'.ts'.length), load]),
);

export interface Output {
  /** Writes to standard output. */
  out(text: string): void;
  /** Writes to standard error. */
  err(text: string): void;
  interruption?: Interruption;
}

/**
 * @param words the arguments after the program's name
 * @returns the exit status: 0 for success, 2 if the command line or a file that it names is invalid or in use, else 1
 */
export async function runCommandLine(words: readonly string[], output: Output): Promise<number> {
  const { out, err, interruption = new Interruption() } = output;
  const [name, ...rest] = words;
  if (name === undefined || HELP.includes(name)) {
    (name === undefined ? err : out)(`${await overview()}\n`);
    return name === undefined ? 2 : 0;
  }
  try {
    const load = commands.get(name);
    if (!load) {
      throw new Failure(
        'bad-input',
        `unknown command "${name}"`,
        `Available commands: ${[...commands.keys()].sort().join(', ')}.`,
      );
    }
    const { summary, options, positionals, expand, run } = await load();
    const parsed = parse(expand ? expand(rest) : rest, options, positionals);
    if (parsed.help) {
      out(`${help(name, summary, options, positionals)}\n`);
      return 0;
    }
    await run({
      ...parsed,
      outputs: await Outputs.of(options, parsed.options, positionals, parsed.positionals),
      interruption,
      print: (result) => out(`${JSON.stringify(result)}\n`),
      write: out,
      note: (message) => err(`${message}\n`),
    });
    return 0;
  } catch (error) {
    if (!(error instanceof Failure)) {
      err(`${error instanceof Error ? error.stack : String(error)}\n`);
      return 1;
    }
    const message = error.advice ? `${error.message.replace(/[.\s]*$/, '')}. ${error.advice}` : error.message;
    const status = statusOf(error);
    err(`wgrad ${name}: ${status === 2 ? message.replace(/\s+/g, ' ') : message}\n`);
    return status;
  }
}

function statusOf({ code }: Failure): number {
  switch (code) {
    case 'bad-input':
    case 'bad-file':
    case 'busy':
    case 'checksum':
    case 'not-found':
      return 2;
    default:
      return 1;
  }
}

async function overview(): Promise<string> {
  const rows = [...commands].sort().map(async ([name, load]) => [name, (await load()).summary]);
  return (
    'wgrad trains convolutional networks on the GPU or the CPU.\n\n' +
    '  npm run -s wgrad -- <command> [options]\n\n' +
    `${table(await Promise.all(rows))}\n\n` +
    'Results are written as JSON lines to standard output, messages to standard error. Run "<command> --help" for details.'
  );
}
