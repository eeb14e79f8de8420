// Checks the names of types: no exported type has the name of another one, and words that could mean anything name one
// type at most. Prints each violation and exits with status 1 if there are any.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Words of which a reader would have to ask which one is meant: one type of each at most, exported or not. */
const VAGUE = ['Place', 'Way', 'Case', 'Part', 'Network', 'Pair'];

const DECLARATION =
  /^(?<indent>[ \t]*)(?<exported>export )?(?:default )?(?:declare )?(?:abstract )?(?:interface|type|class|enum) (?<name>[A-Z]\w*)(?=[\s<={])/gm;

/**
 * @param {ReadonlyMap<string, string>} files text by path
 * @returns {{ file: string, line: number, message: string }[]}
 */
export function checkTypes(files) {
  const declared = [...files].flatMap(([file, text]) =>
    [...text.matchAll(DECLARATION)].map(({ index, groups }) => ({
      file,
      line: text.slice(0, index).split('\n').length,
      name: groups.name,
      // Types inside `declare module` are exported, too, and extend one of that name.
      exported: groups.exported !== undefined && groups.indent === '',
    })),
  );
  const first = new Map();
  const breaches = [];
  for (const { file, line, name, exported } of declared) {
    if (!exported && !VAGUE.includes(name)) continue;
    const other = first.get(name);
    if (other) breaches.push({ file, line, message: `the type ${name} has the name of that in ${other}` });
    else first.set(name, `${file}:${line}`);
  }
  return breaches;
}

const FOLDERS = ['src', 'peers', 'scripts', 'e2e'];

/** The project's sources in TypeScript. Each folder of bench/ is a program of its own. */
export function sourcesOf(root) {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules/')),
  );
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const breaches = checkTypes(sourcesOf(fileURLToPath(new URL('..', import.meta.url))));
  for (const { file, line, message } of breaches) console.error(`${file}:${line}: ${message}`);
  process.exitCode = breaches.length > 0 ? 1 : 0;
}
