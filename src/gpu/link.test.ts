import { describe, expect, it } from 'vitest';
import { filesOf, link, whereIs, type Constants } from './link.ts';

const FILES: Record<string, string> = {
  'common/index': 'const SIZE = 64u;\nfn index() -> u32 { return SIZE; }',
  'common/twice': '// @import common/index\nfn twice() -> u32 { return 2u * index(); }',
  both: '// @import common/index\n// @import common/twice\nfn main() {}',
  circle: '// @import circle\nfn main() {}',
};

function read(name: string): string {
  if (FILES[name] === undefined) throw new Error(`no shader ${name}`);
  return FILES[name];
}

const linkText = (text: string, constants: Constants = {}) =>
  link('test', constants, (name) => (name === 'test' ? text : read(name)));

describe('imports', () => {
  it('includes every file once, before the line that imports it', () => {
    expect(link('both', {}, read).code).toBe(
      'const SIZE = 64u;\nfn index() -> u32 { return SIZE; }\nfn twice() -> u32 { return 2u * index(); }\nfn main() {}',
    );
    expect(link('circle', {}, read).code).toBe('fn main() {}');
  });

  it('knows where each line came from', () => {
    const linked = link('both', {}, read);
    const places = linked.lines.map((_, i) => whereIs(linked, i + 1, 1));
    expect(places).toEqual([
      'shaders/common/index.wgsl:1:1',
      'shaders/common/index.wgsl:2:1',
      'shaders/common/twice.wgsl:2:1',
      'shaders/both.wgsl:3:1',
    ]);
    expect(whereIs(linked, 5, 1)).toBe('an unknown line');
  });

  it('includes statements in a function, indented as their import', () => {
    const files: Record<string, string> = {
      main: 'fn main() {\n  if (READY) {\n    // @import main/go\n  }\n}',
      'main/go': 'for (;;) {\n  // @import main/step\n}',
      'main/step': 'step();',
    };
    expect(link('main', {}, (name) => files[name]).code).toBe(
      'fn main() {\n  if (READY) {\n    for (;;) {\n      step();\n    }\n  }\n}',
    );
  });

  it('completes a kernel by the parts that its name lists, from its folder, before itself', () => {
    const files: Record<string, string> = {
      'a/main':
        '// @import a/sizes\nconst AREA = SIZE * SIZE;\n// @unroll\nfor (var i = 0u; i < AREA; i++) {\nf();\n}',
      'a/sizes': '// @import common/index',
      'a/two': '// @import a/sizes\nconst SIZE = 1u;\nfn f() {}',
    };
    const readPart = (name: string) =>
      files[name] ?? (name === 'common/index' ? 'const X = 1u;' : read(name));
    expect(link('a/main:two', {}, readPart).code).toBe(
      'const X = 1u;\nconst SIZE = 1u;\nfn f() {}\nconst AREA = SIZE * SIZE;\n{\nf();\n}',
    );
    expect(filesOf('a/main:two', readPart)).toEqual(['a/main', 'a/two', 'common/index']);
  });

  it('imports on a condition only if the caller sets that constant', () => {
    const text = 'const SHARED = false;\n// @import common/index if SHARED';
    expect(linkText(text).code).toBe('const SHARED = false;');
    expect(linkText(text, { SHARED: false }).code).toBe('const SHARED = false;');
    expect(linkText(text, { SHARED: true }).code).toBe(
      'const SHARED = true;\nconst SIZE = 64u;\nfn index() -> u32 { return SIZE; }',
    );
  });

  it('accepts an import only on a separate line', () => {
    expect(linkText('fn main() {} // @import common/index').code).toBe(
      'fn main() {} // @import common/index',
    );
  });
});

describe('constants', () => {
  it.each([
    ['const A = 4u;', 8, 'const A = 8u;'],
    ['const A = 4i;', -8, 'const A = -8i;'],
    ['const A = 4;', 8, 'const A = 8;'],
    ['const A: u32 = 4;', 8, 'const A: u32 = 8;'],
    ['const A = 1.0;', 2, 'const A = 2.0;'],
    ['const A = 1.0;', 0.25, 'const A = 0.25;'],
    ['const A = false;', true, 'const A = true;'],
    ['const A = 4u; // rows', 8, 'const A = 8u; // rows'],
  ])('writes "%s" with %s as "%s"', (text, value, expected) => {
    expect(linkText(text, { A: value }).code).toBe(expected);
  });

  it('reaches into imported files', () => {
    expect(linkText('// @import common/index', { SIZE: 128 }).code).toContain('const SIZE = 128u;');
  });

  it('refuses a value for an undeclared constant', () => {
    expect(() => linkText('const A = 4u;', { A: 1, B: 2 })).toThrow('kernel test declares no constant B');
  });

  it.each(['f16', 'vec4h'])('requires 16-bit floats if a type is %s', (type) => {
    const text = 'alias Stored = f32;\nvar<private> x: Stored;';
    expect(linkText(text, { Stored: type }).code).toBe(
      `enable f16;\nalias Stored = ${type};\nvar<private> x: Stored;`,
    );
    expect(linkText(text, { Stored: 'vec4f' }).code).not.toContain('enable');
  });

  it('does not change constants inside functions', () => {
    const text = 'fn main() {\n  const A = 4u;\n}';
    expect(linkText(text).code).toBe(text);
    expect(() => linkText(text, { A: 1 })).toThrow('declares no constant A');
  });
});

describe('unrolling', () => {
  const loop = (count: string, body = '  sum += tile[i];') =>
    `// @unroll\nfor (var i = 0u; i < ${count}; i++) {\n${body}\n}`;

  it('repeats the body with numbers instead of the variable', () => {
    expect(linkText(loop('2u')).code).toBe('{\n  sum += tile[0u];\n}\n{\n  sum += tile[1u];\n}');
  });

  it('does not change words that contain the variable', () => {
    expect(linkText(loop('1u', '  size += i; i_max += list.i;')).code).toContain(
      'size += 0u; i_max += list.0u;',
    );
  });

  it('supports counts by constants, given or default, and their products and quotients', () => {
    const copies = (head: string, count: string, constants: Constants = {}) =>
      linkText(`${head}\n${loop(count)}`, constants).code.split('sum +=').length - 1;
    expect(copies('const A = 3u;', 'A')).toBe(3);
    expect(copies('const A = 3u;', 'A', { A: 5 })).toBe(5);
    expect(copies('const A = 8u;\nconst B = A / 4u;', 'A * B')).toBe(16);
    expect(copies('const A = 8u;\nconst B = A / 4u;', 'B', { A: 12 })).toBe(3);
    expect(copies('const A = 0u;', 'A')).toBe(0);
  });

  it('unrolls loops within loops', () => {
    const text = [
      '  // @unroll',
      '  for (var i = 0u; i < 2u; i++) {',
      '    // @unroll',
      '    for (var j = 0u; j < 2u; j++) {',
      '      c[i][j] = 0;',
      '    }',
      '  }',
    ].join('\n');
    const found = [...linkText(text).code.matchAll(/c\[(\d)u\]\[(\d)u\]/g)].map(([, i, j]) => i + j);
    expect(found).toEqual(['00', '01', '10', '11']);
    expect(linkText(text).code).not.toContain('for');
  });

  it('preserves line numbers', () => {
    const linked = linkText(`const A = 1u;\n${loop('2u')}\nfn main() {}`);
    expect(linked.lines.map(({ line }) => line)).toEqual([1, 3, 4, 5, 3, 4, 5, 6]);
  });

  it.each([
    [loop('arrayLength(&x)'), 'shaders/test.wgsl:1: expected "@unroll" above'],
    ['// @unroll\nwhile (true) {\n}', 'shaders/test.wgsl:1: expected "@unroll" above'],
    ['fn f() {}\n// @unroll', 'shaders/test.wgsl:2: expected "@unroll" above'],
    ['// @unroll\nfor (var i = 0u; i < 2u; i++) {\n  {\n  }', 'shaders/test.wgsl:2: '],
  ])('refuses what it cannot unroll: %j', (text, message) => {
    expect(() => linkText(text)).toThrow(message);
  });
});
