/**
 * On a slow network every round trip takes half a second. So the page's first script (public/first.js) is told where the worker
 * is and starts it before the page's own script has arrived, and the worker's entry imports all that it begins with, also what
 * its imports import.
 */
import { posix } from 'node:path';
import type { Plugin } from 'vite';

/** The worker is a bundle of its own, which is built before the page's is written: one plugin for each. */
export function earlyWorker(): { page: Plugin; worker: Plugin } {
  let file: string | undefined;
  return {
    worker: {
      name: 'wgrad-early-worker-entry',
      apply: 'build',
      generateBundle(_, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const entry = chunks.find(
          ({ isEntry, facadeModuleId }) => isEntry && facadeModuleId?.endsWith(ENTRY),
        );
        if (!entry) return;
        file = entry.fileName;
        const needed = new Set(entry.imports);
        for (const name of needed)
          for (const inner of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
            needed.add(inner);
        for (const name of [...needed].filter((one) => !entry.imports.includes(one)))
          entry.code = `import"./${posix.relative(posix.dirname(file), name)}";${entry.code}`;
      },
    },
    page: {
      name: 'wgrad-early-worker',
      apply: 'build',
      transformIndexHtml: {
        order: 'post',
        handler(html, { path }) {
          if (path !== '/index.html') return html;
          const script = '<script src="./first.js"></script>';
          if (file === undefined || !html.includes(script))
            throw new Error(`expected a worker, and ${script} in index.html; found ${file ?? 'no worker'}`);
          // Behind the page's own scripts: where a meta element has a policy, Chromium 156 does not look for them while a script
          // before them is on its way.
          const started = `  <script src="./first.js" data-worker="./${file}"></script>`;
          return html.replace(script, '').replace('</head>', `${started}\n  </head>`);
        },
      },
    },
  };
}

const ENTRY = '/src/worker/main.ts';
