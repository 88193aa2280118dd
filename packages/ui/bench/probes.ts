/** Scripts that measure inside the page. They are text: the benchmark itself has no DOM. */

/** Milliseconds until the first content was painted. */
export const firstPaint = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1`;

/** Records when each row of the list is there first, and when the main thread was last busy for 50 ms. */
export const watchStart = `
  globalThis.benchStart = { rows: 0, longTask: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) benchStart.longTask = startTime + duration;
  }).observe({ type: 'longtask', buffered: true });
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.fleet-row:not(.head)')) return;
    observer.disconnect();
    requestAnimationFrame(() => { benchStart.rows = performance.now(); });
  }).observe(document, { childList: true, subtree: true });
`;

/** Milliseconds until the list was painted and could be used. */
export const interactive = `new Promise((resolve) => {
  const look = () => benchStart.rows > 0
    ? setTimeout(() => resolve(Math.max(benchStart.rows, benchStart.longTask < benchStart.rows + 1000 ? benchStart.longTask : 0)), 500)
    : setTimeout(look, 20);
  look();
})`;

/** From a key to the paint of the list that it filters. */
export const watchKeystrokes = `
  globalThis.benchKeys = [];
  addEventListener('keydown', () => {
    const at = performance.now();
    const shown = () => document.querySelector('.page-head .muted')?.textContent;
    const before = shown();
    const look = () => {
      if (shown() === before && performance.now() - at < 2000) return requestAnimationFrame(look);
      requestAnimationFrame(() => benchKeys.push(performance.now() - at));
    };
    requestAnimationFrame(look);
  }, true);
`;

/** Times between frames from now on. */
export const startFrames = `
  globalThis.benchFrames = [];
  globalThis.benchRunning = true;
  {
    let last = performance.now();
    const frame = (now) => {
      benchFrames.push(now - last);
      last = now;
      if (benchRunning) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }
`;
export const takeFrames = `(benchRunning = false, benchFrames.slice(1))`;

/** From the click on "Graph" until nodes are painted. */
export const timeLayout = `new Promise((resolve) => {
  const started = performance.now();
  [...document.querySelectorAll('.tree-tools button')].find(({ textContent }) => textContent === 'Graph').click();
  const look = () => document.querySelectorAll('.graph-node').length > 3
    ? requestAnimationFrame(() => resolve(performance.now() - started))
    : requestAnimationFrame(look);
  look();
})`;
