/** The main pages in a real browser. `npm run e2e -- ui` visits all of them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findChromium, launch } from './support/browser.ts';
import { openSession } from './support/session.ts';
import { startUp } from './support/start-up.ts';

const chromium = findChromium();

test('a browser signs in with the printed link, and sees Applications live', {
  skip: chromium === undefined && 'chromium is not installed',
}, async () => {
  const up = await startUp({ after }, '--no-agents');
  const browser = await launch(chromium ?? '');
  after(() => browser.close());
  const session = await openSession(browser, { base: up.base });
  const { page } = session;
  await session.open('/');
  assert.match(page.url(), /\/login/u, 'without a session, the page asks for one');
  await page.goto(up.link);
  await page.getByRole('link', { name: 'web', exact: true }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  assert.deepEqual(await session.violations(), []);

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('web');
  await page.getByRole('option', { name: /^web/u }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'web', level: 1 }).waitFor();
  await page.getByText('the live state matches the source').waitFor();
  await page
    .getByRole('button', { name: /ReplicaSet/u })
    .first()
    .waitFor();
  await session.screenshot('smoke-application');
  await page.getByRole('link', { name: 'Flow' }).click();
  await page.getByRole('heading', { name: 'Commit' }).waitFor();
  assert.deepEqual(await session.violations(), []);
  assert.deepEqual(session.problems, []);
});
