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

/** Names that may be followed by template arguments; after any other, `<` is "less than". */
const TEMPLATED = /^(vec[234]|array|bitcast|atomic|ptr|mat[234]x[234])$/;

/** Binary operators by precedence, the lowest first. */
const OPERATORS = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];
const PRECEDENCE = new Map(OPERATORS.flatMap((operators, level) => operators.map((one) => [one, level])));

const ASSIGNMENT = /^(=|[-+*/%&|^]=|<<=|>>=)$/;

/** @throws SourceError with the line of what is not understood */
export function parse(code: string): Module {
  return new Parser(tokensOf(code)).module();
}

class Parser {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  module(): Module {
    const aliases = new Map<string, TypeName>();
    const constants = new Map<string, Declaration>();
    const structs = new Map<string, StructDeclaration>();
    const variables = new Map<string, GlobalVariable>();
    const functions = new Map<string, FunctionDeclaration>();
    const names = new Set<string>();
    const add = <T>(to: Map<string, T>, name: string, what: T, line: number) => {
      if (names.has(name)) throw new SourceError(line, `"${name}" is declared twice`);
      names.add(name);
      to.set(name, what);
    };
    while (this.next.kind !== 'end') {
      const attributes = this.attributes();
      const { text, line } = this.next;
      if (this.take(';')) continue;
      if (text === 'enable' || text === 'diagnostic' || text === 'requires') {
        this.directive();
      } else if (this.take('alias')) {
        const name = this.newName();
        this.expect('=');
        add(aliases, name, this.type(), line);
        this.expect(';');
      } else if (text === 'const') {
        const constant = this.declaration();
        add(constants, constant.name, constant, line);
        this.expect(';');
      } else if (this.take('struct')) {
        const name = this.newName();
        this.expect('{');
        const members = this.list('}', () => this.parameter());
        add(structs, name, { name, members, line }, line);
      } else if (this.take('var')) {
        const variable = { ...this.variable(line), attributes };
        add(variables, variable.name, variable, line);
      } else if (this.take('fn')) {
        const made = this.function(attributes, line);
        add(functions, made.name, made, line);
      } else {
        throw this.unexpected('a declaration');
      }
    }
    return { aliases, constants, structs, variables, functions };
  }

  /** Skips a directive. What it asks for is supported, or its use is an error. */
  private directive(): void {
    while (this.next.text !== ';' && this.next.kind !== 'end') this.at++;
    this.expect(';');
  }

  private variable(line: number): Omit<GlobalVariable, 'attributes'> {
    this.expect('<');
    const space = this.name();
    if (space !== 'uniform' && space !== 'storage' && space !== 'workgroup' && space !== 'private')
      throw new SourceError(line, `variables in the address space "${space}" are not supported`);
    const access = this.take(',') ? this.name() : '';
    this.expect('>');
    const { name, type } = this.typed();
    this.expect(';');
    const writable = space === 'storage' ? access === 'read_write' : space !== 'uniform';
    return { name, space, writable, type, line };
  }

  private function(attributes: Attribute[], line: number): FunctionDeclaration {
    const name = this.newName();
    this.expect('(');
    const parameters = this.list(')', () => this.parameter());
    let result: TypeName | undefined;
    if (this.take('->')) {
      this.attributes();
      result = this.type();
    }
    return { name, attributes, parameters, result, body: this.block(), line };
  }

  private attributes(): Attribute[] {
    const found: Attribute[] = [];
    while (this.next.text === '@') {
      const { line } = this.next;
      this.at++;
      const name = this.name();
      found.push({ name, args: this.take('(') ? this.list(')', () => this.expression()) : [], line });
    }
    return found;
  }

  /** A parameter of a function, or a member of a struct. */
  private parameter(): Parameter {
    const attributes = this.attributes();
    const { line } = this.next;
    return { ...this.typed(), attributes, line };
  }

  private typed(): { name: string; type: TypeName } {
    const name = this.newName();
    this.expect(':');
    return { name, type: this.type() };
  }

  private type(): TypeName {
    const { line } = this.next;
    const name = this.name();
    if (!TEMPLATED.test(name) || !this.take('<')) return { name, template: [], line };
    // The first is a type, and the length of an array comes second.
    const template: (TypeName | Expression)[] = [this.type()];
    if (this.take(',') && this.next.text !== '>') template.push(this.additive());
    this.take(',');
    this.expect('>');
    return { name, template, line };
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
    const { text, line } = this.next;
    switch (text) {
      case '{':
        return { kind: 'block', body: this.block(), line };
      case 'if':
        return this.branch();
      case 'for': {
        this.at++;
        this.expect('(');
        const start = this.take(';') ? undefined : this.simple();
        if (start) this.expect(';');
        const condition = this.take(';') ? undefined : this.expression();
        if (condition) this.expect(';');
        const step = this.next.text === ')' ? [] : [this.simple()];
        this.expect(')');
        return { kind: 'loop', start, condition, step, body: this.block(), line };
      }
      case 'while': {
        this.at++;
        const condition = this.expression();
        return { kind: 'loop', start: undefined, condition, step: [], body: this.block(), line };
      }
      case 'loop':
        this.at++;
        return { kind: 'loop', start: undefined, condition: undefined, step: [], body: this.block(), line };
      case 'return': {
        this.at++;
        const value = this.next.text === ';' ? undefined : this.expression();
        this.expect(';');
        return { kind: 'return', value, line };
      }
      case 'break':
      case 'continue':
        this.at++;
        this.expect(';');
        return { kind: text, line };
      case 'switch':
      case 'continuing':
        throw new SourceError(line, `"${text}" is not supported`);
      default: {
        const statement = this.simple();
        this.expect(';');
        return statement;
      }
    }
  }

  private branch(): WgslStatement {
    const { line } = this.next;
    this.expect('if');
    const condition = this.expression();
    const yes = this.block();
    const no = !this.take('else') ? [] : this.next.text === 'if' ? [this.branch()] : this.block();
    return { kind: 'if', condition, yes, no, line };
  }

  /** The start of a `for`: a declaration, an assignment or a call. */
  private simple(): WgslStatement {
    const { text, line } = this.next;
    if (text === 'var' || text === 'let' || text === 'const') return this.declaration();
    const target = this.postfix();
    const operator = this.next.text;
    if (operator === '++' || operator === '--') {
      this.at++;
      const one: Expression = { kind: 'number', value: 1, type: 'int', line };
      return { kind: 'assign', target, operator: operator[0], value: one, line };
    }
    if (ASSIGNMENT.test(operator)) {
      this.at++;
      return { kind: 'assign', target, operator: operator.slice(0, -1), value: this.expression(), line };
    }
    if (operator === '>' && this.tokens[this.at + 1].text === '>=') {
      this.at += 2;
      return { kind: 'assign', target, operator: '>>', value: this.expression(), line };
    }
    if (target.kind === 'call') return { kind: 'call', call: target, line };
    throw this.unexpected('an assignment or a call');
  }

  private declaration(): Declaration {
    const { line } = this.next;
    const kind = this.name() as Declaration['kind'];
    const name = this.newName();
    const type = this.take(':') ? this.type() : undefined;
    const value = this.take('=') ? this.expression() : undefined;
    return { kind, name, type, value, line };
  }

  /** Up to the first operator that binds less than those of `lowest`. */
  private expression(lowest = 0): Expression {
    let left = this.unary();
    for (;;) {
      const { line } = this.next;
      const operator = this.operator();
      const level = PRECEDENCE.get(operator) ?? -1;
      if (level < lowest) return left;
      this.at += operator === '>>' ? 2 : 1;
      left = { kind: 'binary', operator, left, right: this.expression(level + 1), line };
    }
  }

  /** In a template, `>` ends the list. */
  private additive(): Expression {
    return this.expression(PRECEDENCE.get('+'));
  }

  /** The next operator; two tokens `>` are a shift. */
  private operator(): string {
    const { text } = this.next;
    return text === '>' && this.tokens[this.at + 1].text === '>' ? '>>' : text;
  }

  private unary(): Expression {
    const { text, line } = this.next;
    if (text !== '-' && text !== '!' && text !== '~' && text !== '&') return this.postfix();
    this.at++;
    return { kind: 'unary', operator: text, operand: this.unary(), line };
  }

  private postfix(): Expression {
    let expression = this.primary();
    for (;;) {
      const { line } = this.next;
      if (this.take('.')) expression = { kind: 'member', of: expression, member: this.name(), line };
      else if (this.take('[')) {
        expression = { kind: 'index', of: expression, index: this.expression(), line };
        this.expect(']');
      } else return expression;
    }
  }

  private primary(): Expression {
    const { kind, text, line } = this.next;
    if (kind === 'number') {
      this.at++;
      return numberOf(text, line);
    }
    if (this.take('(')) {
      const inner = this.expression();
      this.expect(')');
      return inner;
    }
    if (kind !== 'name') throw this.unexpected('an expression');
    if (text === 'true' || text === 'false') {
      this.at++;
      return { kind: 'flag', value: text === 'true', line };
    }
    const callee = this.type();
    if (this.take('(')) {
      return { kind: 'call', callee, args: this.list(')', () => this.expression()), line };
    }
    return { kind: 'name', name: callee.name, line };
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
    return this.tokens[this.at];
  }

  private take(text: string): boolean {
    if (this.next.text !== text || this.next.kind === 'end') return false;
    this.at++;
    return true;
  }

  private expect(text: string): void {
    if (!this.take(text)) throw this.unexpected(`"${text}"`);
  }

  private name(): string {
    if (this.next.kind !== 'name') throw this.unexpected('a name');
    return this.tokens[this.at++].text;
  }

  /** A name that is declared here. */
  private newName(): string {
    const { text, line } = this.next;
    if (RESERVED.has(text) || text === '_' || text.startsWith('__'))
      throw new SourceError(line, `"${text}" is reserved: choose another name`);
    return this.name();
  }

  private unexpected(expected: string): SourceError {
    return new SourceError(this.next.line, `expected ${expected}, found "${this.next.text}"`);
  }
}

function numberOf(text: string, line: number): Expression {
  const isHex = /^0x/i.test(text);
  const suffix = /[iu]$/.exec(text)?.[0] ?? (isHex ? /p.*([fh])$/i : /([fh])$/).exec(text)?.[1];
  const digits = suffix ? text.slice(0, -1) : text;
  if (suffix === 'h') throw new SourceError(line, 'f16 is not supported on this device');
  const value = isHex && /[.p]/i.test(digits) ? hexFloat(digits) : Number(digits);
  if (suffix === 'u') return { kind: 'number', value, type: 'u32', line };
  if (suffix === 'i') return { kind: 'number', value, type: 'i32', line };
  if (suffix === 'f') return { kind: 'number', value, type: 'f32', line };
  const isFloat = isHex ? /[.p]/i.test(digits) : /[.e]/i.test(digits);
  return { kind: 'number', value, type: isFloat ? 'float' : 'int', line };
}

/** "0x1.8p-24" */
function hexFloat(text: string): number {
  const [mantissa, exponent = '0'] = text.slice(2).split(/p/i);
  const [whole, fraction = ''] = mantissa.split('.');
  const digits = Number.parseInt(whole + fraction || '0', 16);
  return digits * 2 ** (Number(exponent) - 4 * fraction.length);
}
