/** Faults of the CPU engine: its compiler and its device. */
import { of } from '../mutant.mjs';

/** Random programs against plain TypeScript, and handwritten ones. */
const COMPILER = 'src/cpu/compile/';
const NODES = 'src/cpu/wasm/nodes.ts';
const VALUES = 'src/cpu/compile/values.ts';
const PLACES = 'src/cpu/compile/places.ts';
const STATEMENTS = 'src/cpu/compile/statements.ts';
const INVOCATIONS = 'src/cpu/compile/invocations.ts';

export default [
  // Ranges, which remove bounds checks.
  of(COMPILER, NODES, 'Math.max(0, b.max - 1)) }),', 'Math.max(0, b.max - 2)) }),'),
  of(
    COMPILER,
    NODES,
    'max: Math.floor(a.max / Math.max(1, b.min)),',
    'max: Math.floor(a.max / Math.max(1, b.max)) - 1,',
  ),
  of(COMPILER, NODES, 'max: a.max >>> b.max } : ANY', 'max: (a.max >>> b.max) - 1 } : ANY'),
  of(COMPILER, NODES, 'max: Math.min(a.max, b.max) }),', 'max: Math.min(a.max, b.max) - 1 }),'),
  of(COMPILER, NODES, 'max: Math.max(yes.range.max, no.range.max) },', 'max: yes.range.max },'),
  of(COMPILER, NODES, 'max: a.max + b.max }),', 'max: a.max + b.min }),'),
  of(COMPILER, NODES, 'max: a.max - b.min } : ANY', 'max: a.max - b.max } : ANY'),
  of(COMPILER, NODES, "'i32.sub': (a, b) => (a.min >= b.max ?", "'i32.sub': (a, b) => (a.max >= b.max ?"),
  of(COMPILER, NODES, 'range: range.max >= WORDS ? ANY : range', 'range'),
  of(
    COMPILER,
    NODES,
    "'i32.lt_u': (a, b) => compared(a.range.max < b",
    "'i32.lt_u': (a, b) => compared(a.range.max <= b",
  ),
  of(
    COMPILER,
    NODES,
    "'i32.rem_u'(a, b) {\n    if (constantOf(b) === 1) return i32(0);\n    return a.range.max < b",
    "'i32.rem_u'(a, b) {\n    if (constantOf(b) === 1) return i32(0);\n    return a.range.max <= b",
  ),
  // Checks of bounds.
  of(
    COMPILER,
    PLACES,
    'if (index.range.max <= last.range.min)',
    'if (index.range.max <= last.range.max + 1)',
  ),
  of(COMPILER, PLACES, "op('i32.le_u', at, end)", "op('i32.le_s', at, end)"),
  of(
    COMPILER,
    'src/cpu/compile/lower.ts',
    'i32(strideOf(member.type))), i32(1))',
    'i32(strideOf(member.type))), i32(0))',
  ),
  of(COMPILER, 'src/cpu/compile/expressions.ts', 'known < count ?', 'known <= count ?'),
  // Conversions, divisions and shifts.
  of(
    COMPILER,
    VALUES,
    "to === 'u32' ? 'i32.trunc_sat_f32_u' : 'i32.trunc_sat_f32_s'",
    "'i32.trunc_sat_f32_s'",
  ),
  of(
    COMPILER,
    NODES,
    'Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), Math.trunc(a) || 0))',
    'Math.trunc(a) || 0',
  ),
  of(COMPILER, VALUES, "op('i32.or', op('i32.eqz', b), overflows)", "op('i32.eqz', b)"),
  of(
    COMPILER,
    VALUES,
    'if (y.range.min > 0) return op(chosen, x, y);',
    'if (y.range.max > 0) return op(chosen, x, y);',
  ),
  of(COMPILER, NODES, "'i32.shr_s': (a, b) => (a | 0) >> b", "'i32.shr_s': (a, b) => a >>> b"),
  of(
    COMPILER,
    NODES,
    "'i32.lt_s': (a, b) => Number((a | 0) < (b | 0))",
    "'i32.lt_s': (a, b) => Number(a < b)",
  ),
  // Constants.
  of(COMPILER, 'src/cpu/wgsl/constants.ts', "'%': (a, b) => a % b,\n  '&'", "'%': (a, b) => a - b,\n  '&'"),
  of(
    COMPILER,
    'src/cpu/wgsl/constants.ts',
    'max: ([a, b]) => larger(a, b)',
    'max: ([a, b]) => smaller(a, b)',
  ),
  // What is known of variables.
  of(COMPILER, 'src/cpu/compile/output.ts', 'this.held.delete(local);\n    this.onlyIf', 'this.onlyIf'),
  of(
    COMPILER,
    'src/cpu/compile/output.ts',
    'this.into(body, make);\n    this.held.clear();',
    'this.into(body, make);',
  ),
  of(
    COMPILER,
    'src/cpu/compile/statements.ts',
    'this.effects.mayWrite(source) ? this.out.fixed(now) : now',
    'now',
  ),
  of(
    COMPILER,
    'src/cpu/compile/expressions.ts',
    'values.forEach((value, i) => (values[i] = this.out.fixed(value)));',
    ';',
  ),
  // Loops.
  of(
    COMPILER,
    STATEMENTS,
    'const min = high.max - 1 + step.max > ANY.max ? 0 : low.min;',
    'const min = low.min;',
  ),
  of(COMPILER, STATEMENTS, '{ min, max: high.max - 1 }', '{ min, max: high.max - 2 }'),
  of(
    COMPILER,
    STATEMENTS,
    'for (let i = first; i < end; i += by) values',
    'for (let i = first; i <= end; i += by) values',
  ),
  of(COMPILER, 'src/cpu/compile/counter.ts', '|| isChanged', ''),
  // Barriers.
  of(COMPILER, INVOCATIONS, "if (node.kind === 'load' && node.writable) return true;", ''),
  of(COMPILER, INVOCATIONS, '|| maybe.has(local) || one.exits.size > 0', ''),
  of(COMPILER, INVOCATIONS, 'if (region.some((one) => mentions(one, statement.local))) flush();', ''),
  of(COMPILER, 'src/cpu/compile/kernel.ts', 'bytes: i32(sharedBytes + stampBytes)', 'bytes: i32(stampBytes)'),
];
