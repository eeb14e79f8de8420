/** Parses WGSL (https://www.w3.org/TR/WGSL/), as far as syntax.ts has it, by recursive descent. */
import { SourceError } from './source-error.ts';
import type {
  Attribute,
  StatementBlock,
  Declaration,
  Expression,
  FunctionDeclaration,
  GlobalVariable,
  Module,
  Parameter,
  WgslStatement,
  StructDeclaration,
  TypeName,
} from './syntax.ts';
import { RESERVED } from './reserved.ts';
import { tokensOf, type Token } from './tokens.ts';
import { fits } from './constants.ts';

/** Names that may be followed by template arguments; after any other, `<` is "less than". */
const TEMPLATED = /^(vec[234]|array|bitcast|atomic|ptr|mat[234]x[234])$/;

/** Binary operators by how they may stand together. */
const LOGIC = ['||', '&&'];
const BITWISE = ['|', '^', '&'];
const COMPARISONS = ['==', '!=', '<', '>', '<=', '>='];
const SHIFTS = ['<<', '>>'];
const SUMS = ['+', '-'];
const PRODUCTS = ['*', '/', '%'];
const OPERATORS = new Set([LOGIC, BITWISE, COMPARISONS, SHIFTS, SUMS, PRODUCTS].flat());

const ASSIGNMENT = /^(=|[-+*/%&|^]=|<<=|>>=)$/;

/** @throws SourceError at what is not understood */
export function parse(code: string): Module {
  return new Parser(tokensOf(code)).module();
}

class Parser {
  private index = 0;

  constructor(private readonly tokens: Token[]) {}

  module(): Module {
    const aliases = new Map<string, TypeName>();
    const constants = new Map<string, Declaration>();
    const structs = new Map<string, StructDeclaration>();
    const variables = new Map<string, GlobalVariable>();
    const functions = new Map<string, FunctionDeclaration>();
    const names = new Set<string>();
    const directives = new Set(['enable', 'diagnostic', 'requires']);
    while (directives.has(this.next.text)) this.directive();
    const add = <T>(to: Map<string, T>, name: string, what: T, at: number) => {
      if (names.has(name)) throw new SourceError(at, `"${name}" is declared twice`);
      names.add(name);
      to.set(name, what);
    };
    while (this.next.kind !== 'end') {
      const attributes = this.attributes();
      const { text, at } = this.next;
      if (attributes.length === 0 && this.take(';')) continue;
      if (attributes.length > 0 && text !== 'var' && text !== 'fn')
        throw new SourceError(attributes[0].at, `no @${attributes[0].name} may stand here`);
      if (directives.has(text)) throw new SourceError(at, `"${text}" must stand before all declarations`);
      if (this.take('alias')) {
        const name = this.newName();
        this.expect('=');
        add(aliases, name, this.type(), at);
        this.expect(';');
      } else if (text === 'const') {
        const constant = this.declaration();
        add(constants, constant.name, constant, at);
        this.expect(';');
      } else if (this.take('struct')) {
        const name = this.newName();
        this.expect('{');
        const members = this.list('}', () => this.parameter());
        add(structs, name, { name, members, at }, at);
      } else if (this.take('var')) {
        const variable = { ...this.variable(at), attributes };
        add(variables, variable.name, variable, at);
      } else if (this.take('fn')) {
        const made = this.function(attributes, at);
        add(functions, made.name, made, at);
      } else {
        throw /^(override|const_assert)$/.test(text)
          ? new SourceError(at, `"${text}" is not supported`)
          : this.unexpected('a declaration');
      }
    }
    return { aliases, constants, structs, variables, functions };
  }

  /** Skips a directive. It may only change which diagnostics are reported. */
  private directive(): void {
    const { text, at } = this.next;
    this.index++;
    if (text !== 'diagnostic') throw new SourceError(at, `"${text} ${this.next.text}" is not supported`);
    this.expect('(');
    const severity = this.next;
    if (!/^(off|info|warning|error)$/.test(this.name()))
      throw new SourceError(severity.at, `expected off, info, warning or error, found "${severity.text}"`);
    this.expect(',');
    do this.name();
    while (this.take('.'));
    this.take(',');
    this.expect(')');
    this.expect(';');
  }

  private variable(at: number): Omit<GlobalVariable, 'attributes'> {
    this.expect('<');
    const space = this.name();
    if (space !== 'uniform' && space !== 'storage' && space !== 'workgroup' && space !== 'private')
      throw new SourceError(at, `variables in the address space "${space}" are not supported`);
    const access = this.take(',') && this.next.text !== '>' ? this.accessMode(space) : '';
    this.take(',');
    this.expect('>');
    const { name, type } = this.typed();
    this.expect(';');
    const writable = space === 'storage' ? access === 'read_write' : space !== 'uniform';
    return { name, space, writable, type, at };
  }

  private accessMode(space: string): string {
    const { at } = this.next;
    const access = this.name();
    if (space !== 'storage' || !/^read(_write)?$/.test(access))
      throw new SourceError(at, `the address space "${space}" has no access mode "${access}"`);
    return access;
  }

  private function(attributes: Attribute[], at: number): FunctionDeclaration {
    const name = this.newName();
    this.expect('(');
    const parameters = this.list(')', () => this.parameter());
    let result: TypeName | undefined;
    if (this.take('->')) {
      const [attribute] = this.attributes();
      if (attribute) throw new SourceError(attribute.at, `no @${attribute.name} may stand here`);
      result = this.type();
    }
    return { name, attributes, parameters, result, body: this.block(), at };
  }

  private attributes(): Attribute[] {
    const found: Attribute[] = [];
    while (this.next.text === '@') {
      const { at } = this.next;
      this.index++;
      const name = this.name();
      found.push({ name, args: this.take('(') ? this.list(')', () => this.expression()) : [], at });
    }
    return found;
  }

  /** A parameter of a function, or a member of a struct. */
  private parameter(): Parameter {
    const attributes = this.attributes();
    const { at } = this.next;
    return { ...this.typed(), attributes, at };
  }

  private typed(): { name: string; type: TypeName } {
    const name = this.newName();
    this.expect(':');
    return { name, type: this.type() };
  }

  private type(): TypeName {
    const { at } = this.next;
    const name = this.name();
    if (!TEMPLATED.test(name) || !this.take('<')) return { name, template: [], at };
    // The first is a type, and the length of an array comes second.
    const template: (TypeName | Expression)[] = [this.type()];
    // There, `>` ends the list.
    if (this.take(',') && this.next.text !== '>') template.push(this.sum(this.unary()));
    this.take(',');
    this.expect('>');
    return { name, template, at };
  }

  private block(): StatementBlock {
    this.expect('{');
    const statements: WgslStatement[] = [];
    while (!this.take('}')) {
      if (!this.take(';')) statements.push(this.statement());
    }
    return statements;
  }

  private statement(): WgslStatement {
    const { text, at } = this.next;
    switch (text) {
      case '{':
        return { kind: 'block', body: this.block(), at };
      case 'if':
        return this.branch();
      case 'for': {
        this.index++;
        this.expect('(');
        const start = this.take(';') ? undefined : this.simple();
        if (start) this.expect(';');
        const condition = this.take(';') ? undefined : this.expression();
        if (condition) this.expect(';');
        const step = this.next.text === ')' ? [] : [this.change()];
        this.expect(')');
        return { kind: 'loop', start, condition, step, body: this.block(), at };
      }
      case 'while': {
        this.index++;
        const condition = this.expression();
        return { kind: 'loop', start: undefined, condition, step: [], body: this.block(), at };
      }
      case 'loop':
        this.index++;
        return { kind: 'loop', start: undefined, condition: undefined, step: [], body: this.block(), at };
      case 'return': {
        this.index++;
        const value = this.next.text === ';' ? undefined : this.expression();
        this.expect(';');
        return { kind: 'return', value, at };
      }
      case 'break':
      case 'continue':
        this.index++;
        this.expect(';');
        return { kind: text, at };
      case 'switch':
      case 'continuing':
        throw new SourceError(at, `"${text}" is not supported`);
      default: {
        const statement = this.simple();
        this.expect(';');
        return statement;
      }
    }
  }

  private branch(): WgslStatement {
    const { at } = this.next;
    this.expect('if');
    const condition = this.expression();
    const yes = this.block();
    const no = !this.take('else') ? [] : this.next.text === 'if' ? [this.branch()] : this.block();
    return { kind: 'if', condition, yes, no, at };
  }

  /** The start of a `for`: a declaration, an assignment or a call. */
  private simple(): WgslStatement {
    const { text } = this.next;
    return text === 'var' || text === 'let' || text === 'const' ? this.declaration() : this.change();
  }

  /** An assignment or a call. */
  private change(): WgslStatement {
    const { text, at } = this.next;
    const target = this.postfix();
    const operator = this.next.text;
    if (operator === '++' || operator === '--') {
      this.index++;
      const one: Expression = { kind: 'number', value: 1n, type: 'int', at };
      return { kind: 'assign', target, operator: operator[0], value: one, isStep: true, at };
    }
    if (ASSIGNMENT.test(operator)) {
      this.index++;
      return { kind: 'assign', target, operator: operator.slice(0, -1), value: this.expression(), at };
    }
    if (operator === '>' && this.tokens[this.index + 1].text === '>=') {
      this.index += 2;
      return { kind: 'assign', target, operator: '>>', value: this.expression(), at };
    }
    if (target.kind === 'call' && text !== '(') return { kind: 'call', call: target, at };
    throw this.unexpected('an assignment or a call');
  }

  private declaration(): Declaration {
    const { at } = this.next;
    const kind = this.name() as Declaration['kind'];
    const name = this.newName();
    const type = this.take(':') ? this.type() : undefined;
    const value = this.take('=') ? this.expression() : undefined;
    return { kind, name, type, value, at };
  }

  /** Where WGSL does not say which of two operators binds tighter, it wants parentheses. */
  private expression(): Expression {
    let left = this.unary();
    const first = this.operator();
    if (BITWISE.includes(first)) left = this.chain(left, [first], () => this.unary());
    else {
      left = this.comparison(left);
      const logic = LOGIC.filter((one) => one === this.operator());
      left = this.chain(left, logic, () => this.comparison(this.unary()));
    }
    const operator = this.operator();
    if (OPERATORS.has(operator))
      throw new SourceError(this.next.at, `"${operator}" beside another operator needs parentheses`);
    return left;
  }

  private comparison(first: Expression): Expression {
    const left = this.shift(first);
    if (!COMPARISONS.includes(this.operator())) return left;
    return this.binary(left, () => this.shift(this.unary()));
  }

  private shift(first: Expression): Expression {
    return SHIFTS.includes(this.operator()) ? this.binary(first, () => this.unary()) : this.sum(first);
  }

  private sum(first: Expression): Expression {
    const product = (left: Expression) => this.chain(left, PRODUCTS, () => this.unary());
    return this.chain(product(first), SUMS, () => product(this.unary()));
  }

  /** Any number of these operators, from left to right. */
  private chain(first: Expression, operators: readonly string[], operand: () => Expression): Expression {
    let left = first;
    while (operators.includes(this.operator())) left = this.binary(left, operand);
    return left;
  }

  /** The operator that comes next, and its right operand. */
  private binary(left: Expression, operand: () => Expression): Expression {
    const { at } = this.next;
    const operator = this.operator();
    this.index += operator === '>>' ? 2 : 1;
    return { kind: 'binary', operator, left, right: operand(), at };
  }

  /** The next operator; two tokens `>` are a shift. */
  private operator(): string {
    this.splitMinus();
    const { text } = this.next;
    return text === '>' && this.tokens[this.index + 1].text === '>' ? '>>' : text;
  }

  /** In an expression, `--` is two signs. */
  private splitMinus(): void {
    const { text, at } = this.next;
    if (text !== '--') return;
    const [first, second] = [at, at + 1].map((place): Token => ({ kind: 'symbol', text: '-', at: place }));
    this.tokens.splice(this.index, 1, first, second);
  }

  private unary(): Expression {
    this.splitMinus();
    const { text, at } = this.next;
    if (text !== '-' && text !== '!' && text !== '~' && text !== '&') return this.postfix();
    this.index++;
    return { kind: 'unary', operator: text, operand: this.unary(), at };
  }

  private postfix(): Expression {
    let expression = this.primary();
    for (;;) {
      const { at } = this.next;
      if (this.take('.')) expression = { kind: 'member', of: expression, member: this.name(), at };
      else if (this.take('[')) {
        expression = { kind: 'index', of: expression, index: this.expression(), at };
        this.expect(']');
      } else return expression;
    }
  }

  private primary(): Expression {
    const { kind, text, at } = this.next;
    if (kind === 'number') {
      this.index++;
      return numberOf(text, at);
    }
    if (this.take('(')) {
      const inner = this.expression();
      this.expect(')');
      return inner;
    }
    if (kind !== 'name') throw this.unexpected('an expression');
    if (text === 'true' || text === 'false') {
      this.index++;
      return { kind: 'flag', value: text === 'true', at };
    }
    const callee = this.type();
    if (this.take('(')) {
      return { kind: 'call', callee, args: this.list(')', () => this.expression()), at };
    }
    return { kind: 'name', name: callee.name, at };
  }

  /** Items separated by commas, up to `end`; a trailing comma is allowed. */
  private list<T>(end: string, item: () => T): T[] {
    const items: T[] = [];
    while (!this.take(end)) {
      items.push(item());
      if (this.take(',')) continue;
      this.expect(end);
      break;
    }
    return items;
  }

  private get next(): Token {
    return this.tokens[this.index];
  }

  private take(text: string): boolean {
    if (this.next.text !== text || this.next.kind === 'end') return false;
    this.index++;
    return true;
  }

  private expect(text: string): void {
    if (!this.take(text)) throw this.unexpected(`"${text}"`);
  }

  private name(): string {
    if (this.next.kind !== 'name') throw this.unexpected('a name');
    return this.tokens[this.index++].text;
  }

  /** A name that is declared here. */
  private newName(): string {
    const { text, at } = this.next;
    if (RESERVED.has(text) || text === '_' || text.startsWith('__'))
      throw new SourceError(at, `"${text}" is reserved: choose another name`);
    return this.name();
  }

  private unexpected(expected: string): SourceError {
    return new SourceError(this.next.at, `expected ${expected}, found "${this.next.text}"`);
  }
}

const DECIMAL = /^(?:(?:0|[1-9]\d*)[iuf]?|(?:\d+\.\d*|\.\d+|\d+(?=e))(?:e[-+]?\d+)?f?)$/i;
const HEX = /^0x(?:[\da-f]+[iu]?|(?:[\da-f]+\.[\da-f]*|\.[\da-f]+)(?:p[-+]?\d+f?)?|[\da-f]+p[-+]?\d+f?)$/i;

function numberOf(text: string, at: number): Expression {
  const isHex = /^0x/i.test(text);
  if (text.endsWith('h')) throw new SourceError(at, 'f16 is not supported on this device');
  if (!(isHex ? HEX : DECIMAL).test(text)) throw new SourceError(at, `"${text}" is not a number of WGSL`);
  const suffix = /[iu]$/.exec(text)?.[0] ?? (isHex ? /p.*(f)$/i : /(f)$/).exec(text)?.[1];
  const digits = suffix ? text.slice(0, -1) : text;
  if (suffix === 'f' || (isHex ? /[.p]/i : /[.e]/i).test(digits)) {
    const value = isHex ? hexFloat(digits) : Number(digits);
    const type = suffix === 'f' ? 'f32' : 'float';
    if (!fits(value, type) || (isHex && suffix === 'f' && Math.fround(value) !== value))
      throw new SourceError(at, `${text} does not fit into ${type}`);
    return { kind: 'number', value: suffix === 'f' ? Math.fround(value) : value, type, at };
  }
  const value = BigInt(digits);
  const type = suffix === 'u' ? 'u32' : suffix === 'i' ? 'i32' : 'int';
  if (!fits(value, type)) throw new SourceError(at, `${text} does not fit into ${type}`);
  return { kind: 'number', value, type, at };
}

/** "0x1.8p-24" */
function hexFloat(text: string): number {
  const [mantissa, exponent = '0'] = text.slice(2).split(/p/i);
  const [whole, fraction = ''] = mantissa.split('.');
  const digits = Number.parseInt(whole + fraction || '0', 16);
  return digits * 2 ** (Number(exponent) - 4 * fraction.length);
}
