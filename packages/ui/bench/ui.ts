import { type Application, applicationKind } from '@fairlead/api';
import { HttpClient, loadKubeconfig } from '@fairlead/kube';
import type { Browser, CDPSession, Page } from 'playwright-core';
import type { Figure } from '../../../scripts/bench.ts';
import { initialScripts, maxInitialBytes } from '../scripts/initial-size.ts';
import { findChromium, launch } from '../test/support/browser.ts';
import { openSession } from '../test/support/session.ts';
import { type RunningUp, startUp } from '../test/support/start-up.ts';
import { createLargeTree, largeTreeNodes } from './large-tree.ts';
import { firstPaint, interactive, startFrames, takeFrames, timeLayout, watchKeystrokes, watchStart } from './probes.ts';
import { changeStatuses } from './status-changes.ts';

const perSecond = 200;
const dist = new URL('../dist', import.meta.url).pathname;

/**
 * The web application in Chromium on `fairlead up --fleet APPS`: `npm run bench -- ui [APPS] [MINUTES]`, 10,000 Applications and 10 minutes
 * of changes by default.
 */
export async function* bench(args: readonly string[]): AsyncGenerator<Figure> {
  const [apps = 10_000, minutes = 10] = args.map(Number);
  const chromium = findChromium();
  if (chromium === undefined) throw new Error('chromium is not installed');
  yield {
    name: 'initial JavaScript, compressed',
    value: initialScripts(dist).reduce((sum, { compressed }) => sum + compressed, 0) / 1024,
    unit: 'KB',
    atMost: maxInitialBytes / 1024,
  };
  const stops: (() => Promise<void>)[] = [];
  try {
    const up = await startUp({ after: (stop) => stops.push(stop) }, '--no-agents', '--fleet', String(apps));
    const client = new HttpClient((await loadKubeconfig({ path: up.kubeconfig })).client);
    stops.push(() => client.close());
    const browser = await launch(chromium);
    stops.push(() => browser.close());
    yield* startOfPage(browser, up);
    yield* tree(browser, up, await createLargeTree(client));
    yield* changes(browser, up, client, minutes);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

const open = async (browser: Browser, up: RunningUp): Promise<Page> => {
  const session = await openSession(browser, { base: up.base, account: { username: 'admin', password: up.password } });
  return session.page;
};

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

/** The best of three visits: others use the machine as well. Each is a new session with an empty cache. */
async function* startOfPage(browser: Browser, up: RunningUp): AsyncGenerator<Figure> {
  const visits: { paint: number; ready: number }[] = [];
  for (let visit = 0; visit < 3; visit += 1) {
    const page = await open(browser, up);
    await page.addInitScript(watchStart);
    await page.goto('/applications');
    const ready = Number(await page.evaluate(interactive));
    visits.push({ paint: Number(await page.evaluate(firstPaint)), ready });
    if (visit === 2) yield* keystrokes(page);
    await page.context().close();
  }
  const best = (of: 'paint' | 'ready'): number => Math.min(...visits.map((visit) => visit[of]));
  yield { name: 'first contentful paint', value: best('paint'), unit: 'ms', atMost: 1_000, note: 'best of 3' };
  yield { name: 'interactive list', value: best('ready'), unit: 'ms', atMost: 1_500, note: 'best of 3' };
}

async function* keystrokes(page: Page): AsyncGenerator<Figure> {
  await page.evaluate(watchKeystrokes);
  await page.locator('[data-search]').first().focus();
  for (const key of 'checkout-api-prod') {
    await page.keyboard.press(key);
    await page.waitForTimeout(400);
  }
  // Letters that leave the number of Applications as it was have nothing to paint.
  const times = numbers(await page.evaluate('benchKeys')).filter((ms) => ms < 2_000);
  yield { name: 'filter: keystroke to paint, p50', value: percentile(times, 0.5), unit: 'ms', atMost: 100 };
  yield { name: 'the same: slowest', value: Math.max(...times), unit: 'ms', note: `${times.length} keystrokes` };
}

async function* tree(browser: Browser, up: RunningUp, path: string): AsyncGenerator<Figure> {
  const page = await open(browser, up);
  await page.goto(`${path}?tree=list`);
  await page.locator('.tree-list-row').first().waitFor();
  const layout = Number(await page.evaluate(timeLayout));
  yield { name: `layout of ${largeTreeNodes} nodes`, value: layout, unit: 'ms', atMost: 1_000 };
  const box = await page.locator('.graph-frame').boundingBox();
  const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate(startFrames);
  for (let step = 0; step < 120; step += 1) {
    await page.mouse.move(x + (step % 40) * 8, y + (step % 60) * 6);
    await page.waitForTimeout(8);
  }
  const frames = numbers(await page.evaluate(takeFrames));
  await page.mouse.up();
  const seconds = frames.reduce((sum, ms) => sum + ms, 0) / 1_000;
  yield { name: 'frames per second while panning', value: frames.length / seconds, unit: 'fps', atLeast: 50 };
  await page.context().close();
}

/** The list, while the statuses of Applications change all the time. */
async function* changes(browser: Browser, up: RunningUp, client: HttpClient, minutes: number): AsyncGenerator<Figure> {
  const page = await open(browser, up);
  await page.goto('/applications');
  await page.locator('.fleet-row').nth(5).waitFor();
  const { items } = await client.list<Application>(applicationKind.type, { labelSelector: 'fleet=demo' });
  const recorded = items.filter(({ metadata }) => metadata.annotations !== undefined);
  const stop = new AbortController();
  const changing = changeStatuses(client, recorded, perSecond, stop.signal);
  const startedAt = Date.now();
  const debug = await page.context().newCDPSession(page);
  await page.waitForTimeout(10_000);
  await page.evaluate(startFrames);
  await page.waitForTimeout(20_000);
  const frames = numbers(await page.evaluate(takeFrames));
  yield {
    name: `slowest frame with ${perSecond} changes/s`,
    value: Math.max(...frames),
    unit: 'ms',
    atMost: 50,
    note: `${frames.length} frames, ${frames.filter((ms) => ms > 50).length} over 50 ms`,
  };
  const sizes: number[] = [];
  const samples = Math.max(2, Math.round(minutes * 2));
  for (let sample = 0; sample < samples; sample += 1) {
    await page.waitForTimeout((minutes * 60_000) / samples);
    sizes.push(await heapMegabytes(debug));
  }
  stop.abort();
  const written = await changing;
  yield {
    name: 'changes that were written',
    value: written / ((Date.now() - startedAt) / 1_000),
    unit: 'each second',
  };
  const half = Math.floor(sizes.length / 2);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  yield {
    name: `heap after ${minutes} minutes, second half compared with the first`,
    value: mean(sizes.slice(half)) / mean(sizes.slice(0, half)),
    unit: '×',
    atMost: 1.05,
    note: `${sizes.map((size) => size.toFixed(1)).join(', ')} MB`,
  };
  await page.context().close();
}

async function heapMegabytes(debug: CDPSession): Promise<number> {
  await debug.send('HeapProfiler.collectGarbage');
  const { usedSize } = await debug.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
