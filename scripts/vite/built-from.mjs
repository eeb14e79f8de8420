// What a build was made from, so that `npm start` builds again when any of it has changed: scripts/start.mjs.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

/** Neither has what a page is made of, or its lock file does. */
const LEFT_OUT = /^(node_modules$|\.)|\.test\.\w+$/;

/**
 * Whole folders count: those that the bundler read a file from, where another one may appear that `import.meta.glob` or `@import`
 * finds; the folder around each, for new ones beside it; and the files in the root, among them configurations and lock files.
 */
export class BuiltFrom {
  /** @param root of the project @param stamp the file that says what was built @param marks other files that count */
  constructor(root, stamp, marks = []) {
    this.root = resolve(root);
    this.stamp = stamp;
    this.marks = marks;
  }

  /** Whether what was built is what would be built now. */
  isFresh() {
    try {
      const { folders, hash } = JSON.parse(readFileSync(this.stamp, 'utf8'));
      return hash === this.stateOf(folders).hash;
    } catch {
      return false;
    }
  }

  /** Builds by `work`, with plugins that see what is read: of the page, and of its workers. @throws what it throws */
  async build(work) {
    // Until it is whole.
    rmSync(this.stamp, { force: true });
    const began = Date.now();
    const folders = new Set();
    const add = (folder) => {
      // Not what bundlers make up, whose names begin with a zero byte.
      if (folder.startsWith(this.root + sep) && !/[\\/]node_modules|\0/.test(folder)) folders.add(folder);
    };
    const plugin = () => ({
      name: 'wgrad-built-from',
      configResolved({ publicDir, configFileDependencies }) {
        add(resolve(publicDir));
        for (const file of configFileDependencies) add(dirname(resolve(file)));
      },
      buildEnd() {
        for (const id of this.getModuleIds()) {
          const folder = dirname(resolve(id.replace(/[?#].*$/, '')));
          add(folder);
          add(dirname(folder));
        }
      },
    });
    await work({ page: plugin(), worker: plugin });
    const list = [...folders].sort();
    const { hash, newest } = this.stateOf(list);
    // What has changed meanwhile may be built or not.
    if (newest < began) writeFileSync(this.stamp, JSON.stringify({ folders: list, hash }));
  }

  /** The hash changes with the name, the size or the time of any file. */
  stateOf(folders) {
    const hash = createHash('sha256');
    let newest = 0;
    const seen = new Set();
    const add = (path) => {
      const { size, mtimeMs } = statSync(path);
      newest = Math.max(newest, mtimeMs);
      hash.update(`${path} ${size} ${mtimeMs}\n`);
    };
    const visit = (folder, isDeep) => {
      if (seen.has(folder) || !existsSync(folder)) return;
      seen.add(folder);
      for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
        a.name < b.name ? -1 : 1,
      )) {
        const path = join(folder, entry.name);
        if (LEFT_OUT.test(entry.name)) continue;
        if (entry.isFile()) add(path);
        else if (entry.isDirectory() && isDeep) visit(path, true);
      }
    };
    visit(this.root, false);
    for (const folder of folders) visit(folder, true);
    for (const mark of this.marks) if (existsSync(mark)) add(mark);
    return { hash: hash.digest('hex'), newest };
  }
}
