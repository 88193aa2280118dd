import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';

export const themes = ['dark', 'light', 'contrast'] as const;
export type Theme = (typeof themes)[number];

export interface Session {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of the console, of scripts, and violations of the Content-Security-Policy. */
  readonly problems: string[];
  /** Opens a page and waits until nothing is loading. */
  open(path: string): Promise<void>;
  /** Violations of WCAG 2.2 AA and of best practices, one line each. */
  violations(): Promise<string[]>;
  screenshot(name: string): Promise<void>;
}

export interface SessionOptions {
  readonly base: string;
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  /** Device pixels per pixel: 1 by default. */
  readonly scale?: number;
  readonly account?: { readonly username: string; readonly password: string } | undefined;
  /** The folder of screenshots. */
  readonly output?: string;
}

/** Test output is not part of the repository. */
export const outputFolder = new URL('../../../../test-output/ui', import.meta.url).pathname;

export async function openSession(browser: Browser, options: SessionOptions): Promise<Session> {
  const { base, theme = 'dark', width = 1440, height = 900, scale = 1, account, output = outputFolder } = options;
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale, baseURL: base });
  context.setDefaultTimeout(45_000);
  if (account) await context.request.post('/api/v1/session', { data: account });
  await context.addInitScript(`localStorage.setItem('fairlead.theme', '${theme}')`);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
  return {
    context,
    page,
    problems,
    async open(path) {
      await page.goto(path);
      await page.locator('h1').first().waitFor();
      await settled(page);
    },
    async violations() {
      await page.evaluate(axe.source);
      const found = await page.evaluate(`axe.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        resultTypes: ['violations'],
      }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.slice(0, 3).map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ': ' + failureSummary)))`);
      return Array.isArray(found) ? found.map((line) => `${page.url()}: ${line}`) : [];
    },
    async screenshot(name) {
      mkdirSync(output, { recursive: true });
      await page.screenshot({ path: join(output, `${name}.png`) });
    },
  };
}

/** Until there are no placeholders. */
export async function settled(page: Page): Promise<void> {
  const placeholder = page.locator('.skeleton').first();
  while ((await placeholder.count()) > 0) await placeholder.waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => true)');
}
