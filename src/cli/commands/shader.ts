import { Failure } from '../../base/result.ts';
import { constantsOf, filesOf, link, type Constants, type DeclaredConstant } from '../../gpu/link.ts';
import { shaderSource } from '../../gpu/sources.ts';
import { texts, withDefault } from '../arguments.ts';
import { command } from '../command.ts';

export default command({
  summary: 'List the kernels, or print the WGSL of one as it is compiled',
  positionals: [
    { name: 'NAME', summary: 'a kernel (default: list all, with their constants)', required: false },
  ],
  options: {
    const: withDefault(
      texts('NAME=VALUE', 'constants of the kernel: sizes and switches (default: as its files have them)'),
      [],
    ),
  },
  async run({ options: { const: given }, positionals: [name], print, write }) {
    const { kernelNames, NEEDED } = await import('../../engine/all-kernels.ts');
    const names = await kernelNames();
    if (name === undefined) {
      if (given.length > 0) throw new Failure('bad-input', '--const needs the NAME of a kernel');
      for (const one of names) print(describe(one));
      return;
    }
    if (!names.includes(name)) {
      const similar = names.filter((one) => one.includes(name));
      const advice =
        similar.length > 0 ? `Did you mean ${similar.join(', ')}?` : 'Without NAME, all are listed.';
      throw new Failure('not-found', `no kernel named "${name}"`, advice);
    }
    const declared = constantsOf(name, shaderSource);
    const values = given.map((text) => readConstant(text, name, declared));
    write(linked(name, { ...NEEDED[name], ...Object.fromEntries(values) }));
  },
});

const describe = (name: string) => ({
  name,
  files: filesOf(name, shaderSource),
  constants: Object.fromEntries(constantsOf(name, shaderSource).map((one) => [one.name, one.initial])),
});

/** @param text "NAME=VALUE" */
function readConstant(
  text: string,
  kernel: string,
  declared: readonly DeclaredConstant[],
): [string, Constants[string]] {
  const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (name === undefined) throw new Failure('bad-input', `--const: expected NAME=VALUE, found "${text}"`);
  const constant = declared.find((one) => one.name === name);
  if (!constant) {
    const known = declared.map((one) => one.name).join(', ');
    throw new Failure('bad-input', `--const: ${kernel} has no constant ${name}, only ${known || 'none'}`);
  }
  if (constant.isType) return [name, value];
  const isSwitch = /^(true|false)$/;
  if (isSwitch.test(constant.initial)) {
    if (isSwitch.test(value)) return [name, value === 'true'];
    throw new Failure('bad-input', `--const ${name}: expected true or false, found "${value}"`);
  }
  if (Number.isFinite(Number(value))) return [name, Number(value)];
  throw new Failure('bad-input', `--const ${name}: expected a number, found "${value}"`);
}

function linked(name: string, constants: Constants): string {
  try {
    return `${link(name, constants, shaderSource).code.trim()}\n`;
  } catch (error) {
    // Of a file that is only imported on a condition, for example.
    throw new Failure('bad-input', (error as Error).message.replace(/^wgrad bug: /, ''));
  }
}
