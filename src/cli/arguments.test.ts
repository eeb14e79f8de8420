import { describe, expect, it } from 'vitest';
import { Failure } from '../base/result.ts';
import {
  bytes,
  choice,
  flag,
  help,
  integer,
  optional,
  parse,
  real,
  reals,
  text,
  texts,
  withDefault,
} from './arguments.ts';

const OPTIONS = {
  model: text('NAME', 'the model'),
  steps: optional(integer('N', 'steps to train', { min: 1 })),
  lr: withDefault(real('X', 'learning rate', { min: 0, above: true }), 0.1),
  mean: optional(reals('a,b,c', 'mean of each channel')),
  direction: withDefault(choice(['fprop', 'dgrad'], 'which way'), 'fprop'),
  case: withDefault(texts('FILE', 'cases'), []),
  nesterov: flag('Nesterov momentum'),
};
const NAME = [{ name: 'WHAT', summary: 'what to do', required: true }];

const read = (line: string) => parse(line.split(' '), OPTIONS, NAME);
const complaint = (line: string): string => {
  try {
    read(line);
  } catch (error) {
    if (error instanceof Failure && error.code === 'bad-input') return error.message;
    throw error;
  }
  return 'nothing';
};

describe('parse', () => {
  it('reads values with their types, and fills in defaults', () => {
    expect(read('go --model lenet5 --steps 10 --mean 0.5,-1e-3 --nesterov')).toEqual({
      help: false,
      positionals: ['go'],
      given: new Set(['model', 'steps', 'mean', 'nesterov']),
      options: {
        model: 'lenet5',
        steps: 10,
        lr: 0.1,
        mean: [0.5, -1e-3],
        direction: 'fprop',
        case: [],
        nesterov: true,
      },
    });
  });

  it('accepts many values after one option, or each after its own option', () => {
    expect(read('go --model a --case x y --lr 1 --case=z').options.case).toEqual(['x', 'y', 'z']);
    // A word after the value of a single-valued option does not belong to it.
    expect(complaint('--model a go b')).toBe('"b" is an unexpected argument');
    expect(parse(['--model', 'a', '--case', 'x', '--', 'go'], OPTIONS, NAME).positionals).toEqual(['go']);
    expect(read('go --model a --mean -0.5,1').options.mean).toEqual([-0.5, 1]);
  });

  it.each([
    ['go --model a --epoch 1', "unknown option '--epoch'"],
    ['go --model', '--model NAME needs a value: the model'],
    ['go --model a --lr --nesterov', '--lr X needs a value: learning rate'],
    ['go --model a --steps -1', '--steps: expected a whole number of at least 1, found "-1"'],
    ['go --model a --lr -0.1', '--lr: expected a number above 0, found "-0.1"'],
    ['go --model a --direction -h', '--direction: expected one of fprop, dgrad, found "-h"'],
    ['go --model a -x', "unknown option '-x'"],
    ['go --model a --nesterov=yes', "option '--nesterov' does not take an argument"],
    ['go --model=', '--model needs a value'],
    ['go', '--model NAME is missing: the model'],
    ['--model a', 'WHAT is missing: what to do'],
    ['go --model a --steps 1.5', '--steps: expected a whole number, found "1.5"'],
    ['go --model a --steps 0', '--steps: expected a whole number of at least 1, found "0"'],
    ['go --model a --steps 0x10', '--steps: expected a whole number, found "0x10"'],
    ['go --model a --lr 0', '--lr: expected a number above 0, found "0"'],
    ['go --model a --lr 1e999', '--lr: expected a number, found "1e999"'],
    ['go --model a --lr=', '--lr: expected a number, found ""'],
    ['go --model a --mean 1,,2', '--mean: expected numbers separated by commas, found ""'],
    ['go --model a --direction up', '--direction: expected one of fprop, dgrad, found "up"'],
  ])('answers "%s" in one line', (line, message) => {
    const found = complaint(line);
    expect(found).toContain(message);
    expect(found).not.toContain('\n');
  });

  it('requires nothing else if help is requested', () => {
    expect(read('--help').help).toBe(true);
    expect(read('-h').help).toBe(true);
  });
});

describe('help', () => {
  it('names every option, its value and its default', () => {
    const shown = help('train', 'Trains', OPTIONS, NAME);
    expect(shown).toContain('npm run -s wgrad -- train WHAT --model NAME [options]');
    expect(shown).toMatch(/--lr X +learning rate \(default 0.1\)/);
    expect(shown).toMatch(/--nesterov +Nesterov momentum$/m);
    expect(shown).toMatch(/--steps N +steps to train$/m);
  });
});

describe('amounts of memory', () => {
  const options = { workspace: bytes('BYTES', 'how much') };
  it.each([
    ['0', 0],
    ['65536', 65536],
    ['64K', 65536],
    ['64M', 2 ** 26],
    ['2G', 2 ** 31],
  ])('%s', (given, expected) => {
    expect(parse(['--workspace', given], options).options.workspace).toBe(expected);
  });

  it.each(['64m', '-1', '1.5M', 'M', '64MB', '99999999999999G'])('refuses %s', (given) => {
    expect(() => parse([`--workspace=${given}`], options)).toThrow(
      `--workspace: expected bytes, such as 65536, 64K, 64M or 1G, found "${given}"`,
    );
  });
});
