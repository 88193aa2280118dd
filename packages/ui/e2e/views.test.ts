/** What every page looks like in a real browser, on `fairlead up` and on a separate `fairlead server`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fairlead } from '@fairlead/cli/testing';
import { themes } from '../test/support/session.ts';
import { compareWithBaseline } from './support/baseline.ts';
import { running, skip } from './support/running.ts';
import { mainViews, nameOf, views } from './support/views.ts';

describe('the views of the web application', { skip }, () => {
  const instance = running();

  test('the main views look like their baseline', async () => {
    const session = await instance.open();
    const differences: string[] = [];
    for (const view of mainViews) {
      await session.open(view);
      await session.page.waitForTimeout(1_500);
      const difference = await compareWithBaseline(session.page, nameOf(view));
      if (difference !== undefined) differences.push(difference);
    }
    await session.context.close();
    assert.deepEqual(differences, []);
  });

  for (const theme of themes) {
    test(`every view is accessible in the ${theme} theme, without errors in the console`, async () => {
      const session = await instance.open({ theme });
      const violations: string[] = [];
      for (const view of views) {
        await session.open(view);
        violations.push(...(await session.violations()));
        await session.screenshot(`${theme}-${nameOf(view)}`);
      }
      await session.context.close();
      assert.deepEqual(violations, []);
      assert.deepEqual(session.problems, []);
    });
  }

  test('the Content-Security-Policy allows no inline scripts and styles', async () => {
    const response = await fetch(`${instance.up.base}/applications`);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /script-src 'self'/u);
    assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval/u);
  });

  test('a separate server role serves the same pages', async (t) => {
    const { up } = instance;
    const server = new Fairlead(['server', '--kubeconfig', up.kubeconfig, '--insecure', '--port', '0']);
    t.after(() => server.stop('SIGKILL'));
    const base = /http:\S+?(?=;|$)/u.exec(await server.line('serving on ', 120_000))?.[0] ?? '';
    const session = await instance.open({ base });
    // The repository of the demo is on the disk of `up`, which another server does not read.
    const needsRepository = /section=history|dialog=sync/u;
    for (const view of views.filter((view) => !needsRepository.test(view))) {
      await session.open(view);
      assert.doesNotMatch(await session.page.locator('main').innerText(), /could not be shown/u, view);
    }
    assert.deepEqual(session.problems, []);
    await session.context.close();
  });

  const sizes = [
    { title: 'fit a width of 360 pixels', name: 'narrow', width: 360, height: 740 },
    // A window of 1280 × 800 at 200 % has room for half of that.
    { title: 'fit a window at 200 % zoom', name: 'zoomed', width: 640, height: 400, scale: 2 },
  ] as const;
  for (const { title, name, ...size } of sizes) {
    test(`the pages ${title}`, async () => {
      const session = await instance.open(size);
      for (const view of views.filter((view) => !view.includes('resource='))) {
        await session.open(view);
        await session.screenshot(`${name}-${nameOf(view)}`);
        const overflow = Number(await session.page.evaluate('document.documentElement.scrollWidth - innerWidth'));
        assert.ok(overflow <= 0, `${view} is ${overflow} pixels too wide`);
      }
      await session.context.close();
    });
  }

  test('the flow view prints dark on white, without navigation', async () => {
    const session = await instance.open();
    const { page } = session;
    await session.open('/applications/argocd/web?section=flow');
    await page.emulateMedia({ media: 'print' });
    await session.screenshot('print-flow');
    assert.equal(await page.getByRole('navigation', { name: 'Main' }).isVisible(), false);
    await page.getByRole('heading', { name: 'Commit' }).waitFor();
    const colour = await page.evaluate("getComputedStyle(document.querySelector('.flow-hop')).color");
    assert.equal(colour, 'rgb(18, 33, 42)');
    assert.ok((await page.pdf()).length > 10_000);
    await session.context.close();
  });
});
