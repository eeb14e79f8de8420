/** The files in a notebook that wgrad exported: the config, and start.pt and images as far as they fitted into it. */
import { fromBase64 } from '../../base/base64.ts';
import { parsePlainJson } from '../../base/plain-json.ts';
import { Failure } from '../../base/result.ts';

/** The dict in the cell that `toNotebook` writes: Python that is JSON but for the comma at its end. */
const FILES = /^import base64\n[^]*?\nFILES = \{\n([^]*?),\n\}\n/;

/**
 * By their names.
 * @throws Failure `bad-file` if it is damaged, `unsupported` if it is somebody else's notebook
 */
export function notebookFiles(file: string, bytes: Uint8Array): Map<string, Uint8Array<ArrayBuffer>> {
  const texts = cellsOf(file, bytes);
  const found = texts.flatMap((text) => FILES.exec(text)?.[1] ?? []);
  if (found.length !== 1)
    throw new Failure(
      'unsupported',
      `${file}: expected a notebook that wgrad exported, with one cell "import base64 ... FILES = {...}"; found ` +
        `${found.length} of those among ${texts.length} cells`,
      'Choose the weights that it saves.',
    );
  const files = Object.entries(parsed(file, `{${found[0]}}`));
  return new Map(
    files.map(([name, text]) => {
      const content = typeof text === 'string' ? fromBase64(text) : undefined;
      if (!content) throw bad(file, `expected ${name.slice(0, 100)} in base64`);
      return [name, content];
    }),
  );
}

/** Programs write a cell's source as a text, or as its lines. */
function cellsOf(file: string, bytes: Uint8Array): string[] {
  const { cells } = parsed(file, new TextDecoder().decode(bytes));
  if (!Array.isArray(cells)) throw bad(file, 'expected "cells"');
  return cells.map((cell) => [(cell as { source?: unknown } | null)?.source ?? ''].flat().join(''));
}

function parsed(file: string, text: string): Record<string, unknown> {
  try {
    return Object(parsePlainJson(text)) as Record<string, unknown>;
  } catch (error) {
    throw bad(file, (error as Error).message);
  }
}

const bad = (file: string, message: string): Failure =>
  new Failure('bad-file', `${file} is no notebook, or damaged: ${message}`);
