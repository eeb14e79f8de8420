import { spawnSync } from 'node:child_process';
import { isLeftOut } from '../../../scripts/left-out.mjs';

/** What exported PyTorch projects need: the same as in their requirements.txt. */
export const TORCH = 'torch>=2.4';

/** @param argv requirements such as "numpy" and "torch>=2.4". To import modules takes seconds. */
const CHECK = `import importlib.metadata as m, importlib.util as u, re, sys
number = lambda text: [int(part) for part in re.findall(r"\\d+", text)[:2]]
for name, least in ((one + ">=0").split(">=")[:2] for one in sys.argv[1:]):
    assert u.find_spec(name)
    assert least == "0" or number(m.version(name)) >= number(least)`;

/**
 * A Python that has these modules: $WGRAD_PYTHON, else one of this machine; undefined if there is none.
 * @param modules with the version that is needed: "torch>=2.4"
 */
export function pythonWith(...modules: readonly string[]): string | undefined {
  if (['python', ...modules].some(isLeftOut)) return undefined;
  const own = process.env['WGRAD_PYTHON'];
  const candidates = [...(own === undefined ? [] : [own]), 'python3', '/usr/bin/python3'];
  return candidates.find(
    (name) => spawnSync(name, ['-c', CHECK, ...modules], { stdio: 'ignore' }).status === 0,
  );
}
