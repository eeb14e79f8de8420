/** What is used of jsfive, which has no types of its own. */
declare module 'jsfive' {
  export class Group {
    /** Names of groups and data sets in it; null if it has none. */
    readonly keys: readonly string[] | null;
    readonly attrs: Readonly<Record<string, unknown>>;
    get(name: string): unknown;
  }
  export class File extends Group {
    constructor(bytes: ArrayBuffer, name: string);
  }
  export class Dataset {
    readonly shape: readonly number[];
    readonly dtype: unknown;
    readonly value: ArrayLike<number | bigint>;
  }
}
