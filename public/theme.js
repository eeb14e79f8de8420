// Before the first paint, so that a dark page never flashes white. src/app/state/preferences.ts does the same later.
(() => {
  let theme = null;
  try {
    theme = new URLSearchParams(location.search).get('theme') ?? localStorage.getItem('wgrad.theme');
  } catch {}
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
