/** Faults of what the command line writes: how files are replaced, and that no two outputs are one file. */
import { of } from '../mutant.mjs';

const FILES = 'src/node/files. src/node/place. src/node/read.';
const OUTPUTS = 'src/cli/outputs.test';

export default [
  of(FILES, 'src/node/files.ts', '      await file.sync();\n', ''),
  of(FILES, 'src/node/files.ts', '    await syncFolder(dirname(target));\n', ''),
  of(FILES, 'src/node/files.ts', '    await rm(part, { force: true }).catch(() => undefined);\n', ''),
  of(FILES, 'src/node/files.ts', 'await file.chmod(Number(mode));', ''),
  of(FILES, 'src/node/files.ts', "kind === 'a file' || (streams && isStream(place))", 'true'),
  of(FILES, 'src/node/files.ts', '(streams && isStream(place))', 'isStream(place)'),
  of(FILES, 'src/node/files.ts', 'if (isStream(place)) return writeStream(place, contents);', ''),
  of(FILES, 'src/node/files.ts', 'const part = partOf(target);', 'const part = partOf(path);'),
  of(
    FILES,
    'src/node/files.ts',
    'const partOf = (path: string): string => beside(path, `.${process.pid}.part`, ROOM);',
    'const partOf = (path: string): string => `${path}.${process.pid}.part`;',
  ),
  of(
    FILES,
    'src/node/files.ts',
    "(isPart(place.path) ? 'names of unfinished files end like this' : undefined)",
    'undefined',
  ),
  of(FILES, 'src/node/place.ts', 'isAbsolute(target) ? target : `${dirname(at)}/${target}`', 'target'),
  of(FILES, 'src/node/place.ts', 'links <= MAX_LINKS', 'links < 1'),
  of(
    FILES,
    'src/node/place.ts',
    "start.toString().replace(/\\uFFFD+$/, '') + hash + suffix",
    'start.toString() + suffix',
  ),
  of(FILES, 'src/node/read.ts', "if (kind !== 'a file')", "if (kind === 'a socket')"),
  of(FILES, 'src/node/read.ts', 'if (length > most) throw', 'if (length < 0) throw'),
  of(OUTPUTS, 'src/node/place.ts', 'if (found) return `${found.dev}:${found.ino}`;', ''),
  of(
    OUTPUTS,
    'src/cli/outputs.ts',
    'for (const path of companionsOf(place, file)) await',
    'for (const path of []) await',
  ),
  of(
    OUTPUTS,
    'src/cli/outputs.ts',
    'if (!isStream(place)) for (const other of others) await this.claim(name, [other]);',
    '',
  ),
  of(
    OUTPUTS,
    'src/cli/outputs.ts',
    'if (other === name) throw refuse(`${name} would write ${path} twice`);',
    'if (other === name) return place;',
  ),
  of(OUTPUTS, 'src/cli/outputs.ts', 'file.kind === undefined || one.kind !== file.kind', 'false'),
  of(
    OUTPUTS,
    'src/cli/outputs.ts',
    'file.kind === undefined || one.kind !== file.kind',
    'one.kind !== file.kind',
  ),
  of(OUTPUTS, 'src/cli/checkpointing.ts', "if (kind !== 'a file') throw", "if (kind === 'a pipe') throw"),
  of(
    OUTPUTS,
    'src/cli/tuning-results.ts',
    '(path = defaultFile()) => [',
    '(path) => path === undefined ? [] : [',
  ),
  of(
    'src/cli/interruption.',
    'src/cli/interruption.ts',
    'if (!this.stop || this.end) return end();',
    'if (!this.stop) return end();',
  ),
  of(
    'src/storage/opfs.',
    'src/storage/opfs.ts',
    'await folder.removeEntry(part).catch(() => undefined);',
    '',
  ),
];
