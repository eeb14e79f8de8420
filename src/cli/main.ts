/** The program: runs the process's command line, and ends the process. */
import { runCommandLine } from './command-line.ts';

// `wgrad train ... | head -1`: the reader is gone, so the rest is not needed. 141 is a shell's status for SIGPIPE.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 141 : 1);
});

const status = await runCommandLine(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
const written = (stream: NodeJS.WriteStream) => new Promise<void>((done) => stream.write('', () => done()));
await Promise.all([written(process.stdout), written(process.stderr)]);
process.exit(status);
