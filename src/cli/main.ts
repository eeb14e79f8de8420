/** The program: runs the process's command line, and ends the process. */
import { runCommandLine } from './command-line.ts';
import { Interruption } from './interruption.ts';

const interruption = new Interruption();
let isOutputLost = false;

/** Messages are not worth a run: it continues where standard error is closed or full. */
const err = (text: string): void => void tryTo(() => process.stderr.write(text));
process.stderr.on('error', () => undefined);

const out = (text: string): void => tryTo(() => process.stdout.write(text), loseOutput);
process.stdout.on('error', loseOutput);

function loseOutput({ code, message }: NodeJS.ErrnoException): void {
  // Every later line fails as well.
  if (isOutputLost) return;
  isOutputLost = true;
  // `wgrad train ... | head -1`: the reader is gone, so the rest is not needed. 141 is a shell's status for SIGPIPE.
  if (code === 'EPIPE') interruption.happen(() => process.exit(141));
  else err(`wgrad: standard output could not be written: ${message}\n`);
}

/** Streams on files report some errors by throwing. */
function tryTo(write: () => void, onError: (error: NodeJS.ErrnoException) => void = () => undefined): void {
  try {
    write();
  } catch (error) {
    onError(error as NodeJS.ErrnoException);
  }
}

const status = await runCommandLine(process.argv.slice(2), { out, err, interruption });
const written = (stream: NodeJS.WriteStream) =>
  new Promise<void>((done) =>
    tryTo(
      () => stream.write('', () => done()),
      () => done(),
    ),
  );
await Promise.all([written(process.stdout), written(process.stderr)]);
interruption.finish();
process.exit(isOutputLost ? Math.max(1, status) : status);
