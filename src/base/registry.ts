import { Failure } from './result.ts';

/** A registry by name. Duplicate names are a bug; an unknown name is a Failure that lists the known ones. */
export class Registry<T extends { readonly name: string }> {
  private readonly entries = new Map<string, T>();

  /** @param kind for messages: "model", "data set" */
  constructor(
    private readonly kind: string,
    things: Iterable<T> = [],
  ) {
    for (const thing of things) this.register(thing);
  }

  /** @returns what removes it again: tests share a process */
  register(thing: T): () => void {
    if (this.entries.has(thing.name)) throw new Error(`wgrad bug: two ${this.kind}s named "${thing.name}"`);
    this.entries.set(thing.name, thing);
    return () => void this.entries.delete(thing.name);
  }

  get(name: string): T {
    const thing = this.entries.get(name);
    if (thing === undefined) {
      throw new Failure('not-found', `no ${this.kind} named "${name}"`, `Known: ${this.names().join(', ')}.`);
    }
    return thing;
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  names(): string[] {
    return [...this.entries.keys()].sort();
  }

  all(): T[] {
    return this.names().map((name) => this.entries.get(name) as T);
  }
}

/** What `import.meta.glob` found, by the names of the files. */
export const foundByName = <T>(modules: Record<string, unknown>): [name: string, thing: T][] =>
  Object.entries(modules).map(([path, thing]) => [path.replace(/^.*\/|\.\w+$/g, ''), thing as T]);

/**
 * The default exports of the modules that `import.meta.glob(..., { eager: true, import: 'default' })` found: one entry,
 * or an array of entries, per module.
 */
export const found = <T>(modules: Record<string, unknown>): T[] => Object.values(modules).flat() as T[];
