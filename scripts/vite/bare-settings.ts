/**
 * Strips the table of settings of what the worker never shows: titles, and names in links and on the command
 * line. The page gets the whole table.
 */
import { parseSync, type ESTree, type Plugin } from 'vite';

const WORDS = new Set(['title', 'optionHint', 'empty', 'short', 'link', 'option', 'about']);

export const bareSettings = (): Plugin => ({
  name: 'wgrad-bare-settings',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /src\/run\/settings\/table\.ts$/ },
    handler: (code) => ({ code: withoutWords(code), map: null }),
  },
});

/** @throws Error if the code has no object SETTINGS of objects, or nothing to strip */
export function withoutWords(code: string): string {
  const declared = parseSync('table.ts', code).program.body.flatMap((one) =>
    one.type === 'ExportNamedDeclaration' && one.declaration?.type === 'VariableDeclaration'
      ? one.declaration.declarations
      : [],
  );
  const table = declared.find(({ id }) => id.type === 'Identifier' && id.name === 'SETTINGS')?.init;
  const words = propertiesOf(table).flatMap((setting) => {
    const properties = propertiesOf(setting.value);
    return properties.flatMap(({ key, start }, i) =>
      key.type === 'Identifier' && WORDS.has(key.name)
        ? [{ start, end: properties[i + 1]?.start ?? setting.value.end - 1 }]
        : [],
    );
  });
  if (words.length === 0) throw new Error('expected an object SETTINGS, of objects with a title each');
  return words.reduceRight((bare, { start, end }) => bare.slice(0, start) + bare.slice(end), code);
}

/** Those of an object, whatever TypeScript says of its type. */
function propertiesOf(node: ESTree.Expression | null | undefined): ESTree.ObjectProperty[] {
  if (node?.type === 'TSSatisfiesExpression' || node?.type === 'TSAsExpression')
    return propertiesOf(node.expression);
  return node?.type === 'ObjectExpression' ? node.properties.filter((one) => one.type === 'Property') : [];
}
