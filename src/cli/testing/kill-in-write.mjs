// Loaded before the program by tests: kills it while it writes a file. WGRAD_TEST_KILL is JSON: `folder`, of whose files the
// operations count, those on locks too; `after`, the number of operations that succeed; `share`, how much of a file is written
// by then.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { folder, after, share } = JSON.parse(process.env.WGRAD_TEST_KILL);
const { open, rename, rm, writeFile } = fs;
let done = 0;

/** Carries out an operation on a file, or dies in the middle of it. */
async function operate(path, work, half = () => undefined) {
  if (!String(path).startsWith(folder)) return work();
  if (done++ < after) return work();
  await half();
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

fs.open = (path, ...rest) =>
  operate(path, async () => {
    const file = await open(path, ...rest);
    const { writeFile: write, sync } = file;
    file.writeFile = (data) =>
      operate(
        path,
        () => write.call(file, data),
        () => write.call(file, data.subarray(0, Math.floor(share * data.length))),
      );
    file.sync = () => operate(path, () => sync.call(file));
    return file;
  });
fs.rename = (from, to) => operate(to, () => rename(from, to));
fs.rm = (path, ...rest) => operate(path, () => rm(path, ...rest));
fs.writeFile = (path, ...rest) => operate(path, () => writeFile(path, ...rest));
syncBuiltinESMExports();
