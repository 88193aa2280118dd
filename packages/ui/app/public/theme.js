// Before the first paint, so that the page does not flash in another theme.
(() => {
  const stored = localStorage.getItem('fairlead.theme');
  const light = matchMedia('(prefers-color-scheme: light)').matches;
  const contrast = matchMedia('(prefers-contrast: more)').matches;
  const usual = contrast ? 'contrast' : light ? 'light' : 'dark';
  document.documentElement.dataset.theme = ['dark', 'light', 'contrast'].includes(stored) ? stored : usual;
})();
