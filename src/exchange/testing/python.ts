import { spawnSync } from 'node:child_process';

/** A Python that has these modules: $WGRAD_PYTHON, else one of this machine; undefined if there is none. */
export function pythonWith(...modules: readonly string[]): string | undefined {
  // To import them takes seconds.
  const found = modules.map((name) => `u.find_spec("${name}")`).join(' and ');
  const script = `import importlib.util as u, sys; sys.exit(not (${found}))`;
  const own = process.env['WGRAD_PYTHON'];
  const candidates = [...(own === undefined ? [] : [own]), 'python3', '/usr/bin/python3'];
  return candidates.find((name) => spawnSync(name, ['-c', script], { stdio: 'ignore' }).status === 0);
}
