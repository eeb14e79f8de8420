import { describe, expect, it } from 'vitest';
import { wgrad as run } from './testing/program.ts';

describe('the command line', () => {
  it('lists its commands', async () => {
    const { status, out, err } = await run('--help');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(/^ {2}info +Show the GPU adapter/m);
  });

  it('prints the help of a command on standard output', async () => {
    const { status, out, err } = await run('info', '--help');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toContain('wgrad -- info');
  });

  it('shows no default as an object', async () => {
    const { out } = await run('--help');
    const names = [...out.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(9);
    for (const name of names) {
      const help = await run(name, '--help');
      expect(help.status, name).toBe(0);
      expect(help.out, name).not.toMatch(/\[object|undefined|NaN/);
    }
  });

  it.each([
    [[], /<command>/],
    [['nonsense'], /^wgrad nonsense: unknown command "nonsense"\. Available commands: .*info.*\.\n$/],
    [['study', 'nothing'], /no study named "nothing".*cudnn-algorithms/],
    [['info', '--loud'], /^wgrad info: unknown option '--loud'\. .*\n$/],
    [['info', 'more'], /^wgrad info: "more" is an unexpected argument\n$/],
    [
      ['bench', 'find', '--algorithm', 'direct'],
      /^wgrad bench: bench find has no option --algorithm\. It is for bench conv\.\n$/,
    ],
    [['bench', 'find', '--suite', 'lenet5', '--problem', 'n1 c1 8x8 k1 3x3'], /--problem or --suite, found/],
    [['bench', 'conv', '--model', 'resnet20'], /no option --model\. It is for bench step and infer\.\n$/],
    [['predict', '--weights', 'w', '--images', 'i', '--split', 'train'], /--split applies to --dataset/],
  ])('answers a wrong line %j with status 2 and nothing on standard output', async (words, message) => {
    const { status, out, err } = await run(...words);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(message);
  });
});
