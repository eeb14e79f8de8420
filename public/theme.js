// Before the first paint, so that a dark page never flashes white. src/app/state/preferences.ts does the same later.
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
    if (starts) worn ??= dataset.theme;
    else if (worn === undefined) return;
    dataset.theme = starts ? 'light' : worn;
    if (!starts) worn = undefined;
  };
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));
  matchMedia('print').addEventListener('change', ({ matches }) => print(matches));
})();
