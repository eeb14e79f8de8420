// What does not wait for the page's own script.

// The worker, whose scripts come beside the page's, and not after them. src/app/client.ts takes it, or starts it if it has failed.
const { worker } = document.currentScript.dataset;
if (worker) {
  globalThis.wgradWorker = new Worker(worker, { type: 'module', name: 'wgrad' });
  globalThis.wgradWorker.onerror = () => delete globalThis.wgradWorker;
}

// The theme, before the first paint, so that a dark page never flashes white. src/app/state/preferences.ts does the same later.
(() => {
  let theme = null;
  try {
    theme = new URLSearchParams(location.search).get('theme') ?? localStorage.getItem('wgrad.theme');
  } catch {}
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const { dataset } = document.documentElement;
  dataset.theme = dark ? 'dark' : 'light';

  // Paper is light.
  let worn;
  const print = (starts) => {
    if (starts === 'paper' in dataset) return;
    if (starts) {
      worn = dataset.theme;
      dataset.paper = '';
    } else delete dataset.paper;
    dataset.theme = starts ? 'light' : worn;
  };
  const paper = matchMedia('print');
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(paper.matches));
  paper.addEventListener('change', () => print(paper.matches));
})();
