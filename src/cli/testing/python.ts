import { spawnSync } from 'node:child_process';

/** Asks without importing it, which takes seconds. */
const HAS_TORCH =
  'import importlib.util as u, sys; sys.exit(not (u.find_spec("torch") and u.find_spec("numpy")))';

/** A Python that has PyTorch: $WGRAD_PYTHON, else one of this machine; undefined if there is none. */
export function pythonWithTorch(): string | undefined {
  const own = process.env['WGRAD_PYTHON'];
  const candidates = [...(own === undefined ? [] : [own]), 'python3', '/usr/bin/python3'];
  return candidates.find((name) => spawnSync(name, ['-c', HAS_TORCH], { stdio: 'ignore' }).status === 0);
}
