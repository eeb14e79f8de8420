/** The files that a command reads and writes: no two that it writes are one, nor does it destroy what it reads. */
import { fstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../base/result.ts';
import { isStream, makeFolder, requireWritable, type WritableRules } from '../node/files.ts';
import { beside, identityOf, kindOf, placeOf, type FilePlace } from '../node/place.ts';
import type { Options, Positional } from './arguments.ts';

/** A file that an option names. */
export interface NamedFile {
  path: string;
  /** What it holds. A file that is read may be replaced by one of its kind, such as a run's checkpoint by its next one. */
  kind?: 'weights' | 'model' | 'checkpoint';
  /** Suffixes of the files that belong to it and lie beside it, wherever its links lead. */
  companions?: readonly string[];
}

export interface OutputFile extends NamedFile, WritableRules {}

interface Input {
  /** The option. */
  name: string;
  kind: NamedFile['kind'];
  identity: string;
}

export class Outputs {
  /** Names of options, by what identifies their files. */
  private readonly claimed = new Map(standardStreams());

  private constructor(private readonly inputs: readonly Input[]) {}

  /** @param values of the options and positional arguments, whose files are read */
  static async of(
    options: Options,
    values: Readonly<Record<string, unknown>>,
    positionals: readonly Positional[] = [],
    words: readonly string[] = [],
  ): Promise<Outputs> {
    const named = [
      ...Object.entries(options).map(([key, option]) => ({ name: `--${key}`, option, value: values[key] })),
      ...positionals.map((option, i) => ({ name: option.name, option, value: words[i] })),
    ];
    const inputs: Input[] = [];
    for (const { name, option, value } of named) {
      if (value === undefined) continue;
      for (const file of option.reads?.(value) ?? []) {
        // What cannot be read is reported when it is read.
        const place = await placeOf(file.path).catch(() => undefined);
        if (place === undefined || isStream(place)) continue;
        for (const path of [place.path, ...companionsOf(place, file)])
          inputs.push({ name, kind: file.kind, identity: await identityOf(await placeOf(path)) });
      }
    }
    const outputs = new Outputs(inputs);
    for (const [key, option] of Object.entries(options)) {
      const files = option.writes?.(values[key]) ?? [];
      if (files.length > 0) await outputs.claim(`--${key}`, files);
    }
    return outputs;
  }

  /**
   * Checks that files can be written, before the work whose results they will hold.
   * @param name of the option that names the first; the others lie beside it, unless it is a device or pipe
   * @throws Failure `bad-input` with the reason, such as that a file is claimed already
   */
  async claim(name: string, [file, ...others]: readonly OutputFile[]): Promise<void> {
    const place = await this.enter(name, file, file.path);
    if (place === undefined) return;
    for (const path of companionsOf(place, file)) await this.enter(name, file, path);
    if (!isStream(place)) for (const other of others) await this.claim(name, [other]);
  }

  /** Makes the folders of files, and checks that the files can be written. */
  async claimIn(name: string, files: readonly OutputFile[]): Promise<void> {
    for (const folder of new Set(files.map(({ path }) => dirname(path)))) await makeFolder(name, folder);
    // A folder in which one file can be written takes the others.
    for (const [i, file] of files.entries()) await this.claim(name, [{ ...file, untried: i > 0 }]);
  }

  private async enter(name: string, file: OutputFile, path: string): Promise<FilePlace | undefined> {
    const place = await requireWritable(name, path, file);
    // Nothing can be lost on a device, or by what this process has open.
    if (place === undefined || kindOf(place) === 'a device') return place;
    const identity = await identityOf(place);
    const refuse = (what: string) => new Failure('bad-input', what, 'Choose another path.');
    const other = this.claimed.get(identity);
    if (other === name) throw refuse(`${name} would write ${path} twice`);
    if (other !== undefined) throw refuse(`${other} and ${name} would both write ${path}`);
    const input = this.inputs.find(
      (one) => one.identity === identity && (file.kind === undefined || one.kind !== file.kind),
    );
    if (input) throw refuse(`${name} would replace ${path}, which ${input.name} reads`);
    this.claimed.set(identity, name);
    return place;
  }
}

const companionsOf = ({ path }: FilePlace, { companions = [] }: NamedFile): string[] =>
  companions.map((suffix) => beside(path, suffix));

/** Standard output and standard error, as far as they are files. */
function standardStreams(): [identity: string, name: string][] {
  return ['standard output', 'standard error'].flatMap((name, i) => {
    try {
      const found = fstatSync(1 + i, { bigint: true });
      return found.isFile() ? [[`${found.dev}:${found.ino}`, name]] : [];
    } catch {
      // It is closed.
      return [];
    }
  });
}
