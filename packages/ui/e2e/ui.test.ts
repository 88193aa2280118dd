/** Every page in a real browser, on `fairlead up` and on a separate `fairlead server`, in three themes. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Fairlead } from '@fairlead/cli/testing';
import type { Browser } from 'playwright-core';
import { findChromium, launch } from '../test/support/browser.ts';
import { openSession, type Session, themes } from '../test/support/session.ts';
import { type RunningUp, startUp } from '../test/support/start-up.ts';
import { createReader, createUntrusted, marker, setManualSync } from './support/fixtures.ts';

const chromium = findChromium();
const skip =
  process.env['FAIRLEAD_E2E'] === undefined
    ? 'only in npm run e2e -- ui'
    : chromium === undefined && 'chromium is not installed';

const views = [
  '/applications',
  '/applications?view=tiles',
  '/applications?view=heatmap&group=cluster',
  '/applications/argocd/web',
  '/applications/argocd/web?tree=list',
  '/applications/argocd/web?section=flow',
  '/applications/argocd/web?section=diff',
  '/applications/argocd/web?section=history',
  '/applications/argocd/web?section=pods',
  '/applications/argocd/web?section=events',
  '/applications/argocd/web?section=manifest',
  '/applications/argocd/web?resource=apps:Deployment:demo/web',
  '/applications/argocd/web?resource=apps:Deployment:demo/web&part=live',
  '/applications/argocd/web?dialog=sync',
  '/new-application',
  '/agents',
  '/tenants',
  '/images',
  '/syncs',
  '/queues',
  '/applicationsets',
  '/projects',
  '/repositories',
  '/clusters',
  '/accounts',
  '/settings',
] as const;

/** The name of a screenshot. */
const nameOf = (view: string): string => view.replace(/\W+/gu, '-').replace(/^-|-$/gu, '');

/** The server answers 501 until it lists ApplicationSets, and the page shows that. */
const unexpected = (problems: readonly string[]): readonly string[] =>
  problems.filter(
    (line) => !line.startsWith('/applicationsets') && !/applicationsets: Failed to load resource/u.test(line),
  );

describe('the web application', { skip }, () => {
  let up: RunningUp;
  let browser: Browser;
  const admin = () => ({ username: 'admin', password: up.password });
  const stops: (() => Promise<void>)[] = [];
  before(async () => {
    up = await startUp({ after: (stop) => stops.push(stop) });
    browser = await launch(chromium ?? '');
    stops.push(() => browser.close());
  });
  after(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  for (const theme of themes) {
    test(`every view is accessible in the ${theme} theme, without errors in the console`, async () => {
      const session = await openSession(browser, { base: up.base, theme, account: admin() });
      const violations: string[] = [];
      for (const view of views) {
        await session.open(view);
        violations.push(...(await session.violations()));
        await session.screenshot(`${theme}-${nameOf(view)}`);
      }
      await session.context.close();
      assert.deepEqual(violations, []);
      assert.deepEqual(unexpected(session.problems), []);
    });
  }

  test('a separate server role serves the same pages', async (t) => {
    const server = new Fairlead(['server', '--kubeconfig', up.kubeconfig, '--insecure', '--port', '0']);
    t.after(() => server.stop('SIGKILL'));
    const base = /http:\S+?(?=;|$)/u.exec(await server.line('serving on ', 120_000))?.[0] ?? '';
    const session = await openSession(browser, { base, account: admin() });
    // The repository of the demo is on the disk of `up`, which another server does not read.
    for (const view of views.filter((view) => !/section=history|dialog=sync/u.test(view))) {
      await session.open(view);
      assert.doesNotMatch(await session.page.locator('main').innerText(), /could not be shown/u, view);
    }
    assert.deepEqual(unexpected(session.problems), []);
    await session.context.close();
  });

  test('the keyboard alone searches, opens, syncs and leaves', async () => {
    const session = await openSession(browser, { base: up.base, account: admin() });
    const { page } = session;
    await session.open('/applications');
    await page.keyboard.press('/');
    await page.keyboard.type('storefront');
    await page.waitForURL(/q=storefront/u);
    await page.getByText('1 Application', { exact: true }).waitFor();
    await page.locator('.fleet-row:not(.head)').nth(1).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'storefront', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    const sync = page.getByRole('button', { name: 'Sync', exact: true });
    await sync.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Plan').waitFor();
    await dialog.getByRole('button', { name: 'Sync', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Sync started').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('agents');
    await page.getByRole('option', { name: /^Agents/u }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/agents$/u);
    assert.deepEqual(session.problems, []);
    await session.context.close();
  });

  test('what is out of sync shows its fields, a plan, and is synced from the page', async () => {
    await setManualSync(up, 'web');
    const session = await openSession(browser, { base: up.base, account: admin() });
    const { page } = session;
    await session.open('/applications/argocd/web?section=diff');
    await page.getByText('spec.replicas', { exact: true }).waitFor();
    assert.deepEqual(await session.violations(), []);
    await session.screenshot('diff-fields');
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.locator('.cm-mergeView').waitFor();
    await session.screenshot('diff-split');
    assert.deepEqual(await session.violations(), []);
    await page.getByRole('button', { name: 'Sync', exact: true }).click();
    await page.getByText('update', { exact: true }).waitFor();
    await session.screenshot('sync-plan');
    await page.getByRole('dialog').getByRole('button', { name: 'Sync', exact: true }).click();
    await page.locator('.app-title').getByText('Synced', { exact: true }).waitFor();
    assert.deepEqual(session.problems, []);
    await session.context.close();
  });

  test('many Applications are refreshed after a plan', async () => {
    const session = await openSession(browser, { base: up.base, account: admin() });
    const { page } = session;
    await session.open('/applications');
    await page.getByRole('checkbox', { name: 'Select all that match' }).check();
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('What will happen').waitFor();
    await session.screenshot('bulk-plan');
    await dialog.getByRole('button', { name: /^Refresh \d+ Application/u }).click();
    await page.getByText(/Requested for \d+ Application/u).waitFor();
    assert.deepEqual(session.problems, []);
    await session.context.close();
  });

  test('markup in fields of tenants stays text', async () => {
    await createUntrusted(up);
    const session = await openSession(browser, { base: up.base, account: admin() });
    const { page } = session;
    for (const view of [
      '/applications',
      '/applications/argocd/untrusted',
      '/applications/argocd/untrusted?section=flow',
      '/applications/argocd/untrusted?section=manifest',
      '/projects',
      '/repositories',
    ]) {
      await session.open(view);
      assert.equal(await page.evaluate('globalThis.fairleadScriptRan'), undefined, view);
      assert.equal(await page.locator('img').count(), 0, view);
    }
    await session.open('/projects');
    assert.match(
      await page.locator('main').innerText(),
      new RegExp(RegExp.escape(marker), 'u'),
      'the text is shown as it is',
    );
    assert.deepEqual(session.problems, []);
    await session.context.close();
  });

  test('a role that may only read is offered nothing else, and is refused when it tries', async () => {
    const account = await createReader(up);
    const session = await openSession(browser, { base: up.base, account });
    const { page } = session;
    await session.open('/applications/argocd/web');
    await page
      .getByText(/matches the source|Synced/u)
      .first()
      .waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sync', exact: true }).count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Accounts' }).count(), 0);
    await session.open('/applications');
    assert.equal(await page.getByRole('link', { name: 'New Application' }).count(), 0);
    const refused = await session.context.request.post('/api/v1/applications/web/sync', { data: { name: 'web' } });
    assert.equal(refused.status(), 403);
    await session.context.close();
  });

  test('the session ends when the user signs out, and the page asks to sign in again', async () => {
    const session = await openSession(browser, { base: up.base });
    const { page } = session;
    await session.open('/tenants');
    await page.getByLabel('Username').fill('admin');
    await page.getByLabel('Password').fill(up.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/tenants$/u);
    await page.getByRole('button', { name: 'admin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/login/u);
    await session.open('/applications');
    assert.match(page.url(), /\/login/u);
    await session.context.close();
  });

  test('the pages fit a width of 360 pixels', async () => {
    const session: Session = await openSession(browser, { base: up.base, account: admin(), width: 360, height: 740 });
    for (const view of [
      '/applications',
      '/applications/argocd/web',
      '/applications/argocd/web?section=flow',
      '/agents',
    ]) {
      await session.open(view);
      await session.screenshot(`narrow-${nameOf(view)}`);
      assert.equal(await session.page.evaluate('document.documentElement.scrollWidth <= 360'), true, view);
    }
    await session.context.close();
  });
});
