// Loaded before the program by tests: files that it opens in the folder WGRAD_TEST_HANG never open, as on a disk that does not
// answer. It prints {"hangs":true} then.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { open } = fs;
fs.open = (path, ...rest) => {
  if (!String(path).startsWith(process.env.WGRAD_TEST_HANG)) return open(path, ...rest);
  process.stdout.write('{"hangs":true}\n');
  // The process waits for it.
  setInterval(() => undefined, 1000);
  return new Promise(() => undefined);
};
syncBuiltinESMExports();
