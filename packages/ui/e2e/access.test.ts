/** Sign-in, rights, terminals and untrusted texts in a real browser. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createReader, createUntrusted, enableTerminals, marker } from './support/fixtures.ts';
import { running, skip } from './support/running.ts';

describe('access to the web application', { skip }, () => {
  const instance = running();

  test('the keyboard alone searches, opens, asks for help and changes the page', async () => {
    const session = await instance.open();
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
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('agents');
    await page.getByRole('option', { name: /^Agents/u }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/agents$/u);
    assert.deepEqual(session.problems, []);
    await session.context.close();
  });

  test('markup in fields of tenants stays text', async () => {
    await createUntrusted(instance.up);
    const session = await instance.open();
    const { page } = session;
    for (const view of [
      '/applications',
      '/applications?view=tiles',
      '/applications/argocd/untrusted',
      '/applications/argocd/untrusted?section=flow',
      '/applications/argocd/untrusted?section=manifest',
      '/applicationsets',
      '/projects',
      '/repositories',
    ]) {
      await session.open(view);
      assert.equal(await page.evaluate('globalThis.fairleadScriptRan'), undefined, view);
      assert.equal(await page.locator('img').count(), 0, view);
    }
    await session.open('/projects');
    const text = await page.locator('main').innerText();
    assert.ok(text.includes(marker), 'the text is shown as it is');
    assert.deepEqual(session.problems, []);
    await session.context.close();
  });

  test('a role that may only read is offered nothing else, and is refused when it tries', async () => {
    const account = await createReader(instance.up);
    const session = await instance.open({ account });
    const { page } = session;
    await session.open('/applications/argocd/web');
    await page
      .getByText(/matches the source|Synced/u)
      .first()
      .waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sync', exact: true }).count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Accounts' }).count(), 0);
    const notOffered = [
      ['/applications', 'link', 'New Application'],
      ['/projects', 'button', 'New project'],
      ['/repositories', 'button', 'Add repository'],
      ['/clusters', 'button', 'Add cluster'],
      ['/applicationsets', 'button', 'New ApplicationSet'],
    ] as const;
    for (const [path, role, name] of notOffered) {
      await session.open(path);
      assert.equal(await page.getByRole(role, { name }).count(), 0, `${name} on ${path}`);
      assert.equal(await page.getByRole('button', { name: /^(?:Edit|Remove) /u }).count(), 0, path);
    }
    const { request } = session.context;
    const forced = [
      await request.post('/api/v1/applications/web/sync', { data: { name: 'web' } }),
      await request.post('/api/v1/projects', { data: { project: { metadata: { name: 'forced' } } } }),
      await request.post('/api/fairlead/v1/preview', {
        data: {
          application: {
            metadata: { name: 'forced' },
            spec: {
              project: 'default',
              source: { repoURL: 'https://git.example.com/x.git', path: '.' },
              destination: { name: 'in-cluster', namespace: 'x' },
            },
          },
        },
      }),
    ];
    assert.deepEqual(
      forced.map((answer) => answer.status()),
      [403, 403, 403],
    );
    await session.context.close();
  });

  test('a terminal is offered if it is enabled, and says that a simulated Pod has no shell', async () => {
    const session = await instance.open();
    const { page } = session;
    const openPod = async (): Promise<void> => {
      await session.open('/applications/argocd/web?section=pods');
      await page.locator('.pod').first().click();
      await page.getByRole('button', { name: 'Live manifest' }).waitFor();
    };
    await openPod();
    assert.equal(await page.getByRole('button', { name: 'Terminal' }).count(), 0);
    await enableTerminals(instance.up);
    await openPod();
    await page.getByRole('button', { name: 'Terminal' }).click();
    await page.getByText('The shell has ended.').waitFor();
    await page.getByRole('button', { name: 'Connect again' }).waitFor();
    assert.deepEqual(await session.violations(), []);
    await session.screenshot('terminal-ended');
    assert.deepEqual(session.problems, [], 'the style sheets of the terminal are allowed');
    await session.context.close();
  });

  test('a terminal sends what is typed and its size, and shows what the server sends', async () => {
    await enableTerminals(instance.up);
    const session = await instance.open();
    const { page } = session;
    const received: string[] = [];
    await page.routeWebSocket(/\/terminal\?/u, (socket) => {
      socket.onMessage((message) => {
        received.push(String(message));
        const { operation, data }: { operation: string; data: string } = JSON.parse(String(message));
        if (operation === 'stdin') socket.send(JSON.stringify({ operation: 'stdout', data: `<b>${data}</b>` }));
      });
    });
    await session.open('/applications/argocd/web?section=pods');
    await page.locator('.pod').first().click();
    await page.getByRole('button', { name: 'Terminal' }).click();
    await page.locator('.xterm-helper-textarea').waitFor({ state: 'attached' });
    await page.keyboard.type('l');
    await page.getByText('<b>l</b>').first().waitFor();
    assert.match(received.join('\n'), /"operation":"resize"/u);
    assert.match(received.join('\n'), /"data":"l"/u);
    await session.screenshot('terminal');
    await session.context.close();
  });

  test('the session ends when the user signs out, and the page asks to sign in again', async () => {
    const session = await instance.open({ account: undefined });
    const { page } = session;
    await session.open('/tenants');
    await page.getByLabel('Username').fill('admin');
    await page.getByLabel('Password').fill(instance.up.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/tenants$/u);
    await page.getByRole('button', { name: 'admin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/login/u);
    await session.open('/applications');
    assert.match(page.url(), /\/login/u);
    await session.context.close();
  });
});
