// Loaded before the program by tests: appends its process's number to the file WGRAD_TEST_LOG each time that it renames a file,
// which is how a checkpoint is written.
import { appendFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { rename } = fs;
fs.rename = (...names) => {
  appendFileSync(process.env.WGRAD_TEST_LOG, `${process.pid}\n`);
  return rename(...names);
};
syncBuiltinESMExports();
