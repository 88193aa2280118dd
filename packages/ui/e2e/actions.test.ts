/** Every action in a real browser, once with the mouse and once with the keyboard alone. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commitReplicas, demoRepository } from './support/demo-repository.ts';
import { createRobot, setManualSync, waitForRevisions } from './support/fixtures.ts';
import { hands } from './support/hand.ts';
import { running, skip } from './support/running.ts';

const web = '/applications/argocd/web';
const set = (name: string): string => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: ${name}}
spec:
  goTemplate: true
  generators: [{list: {elements: [{stage: dev}, {stage: prod}]}}]
  template:
    metadata: {name: "${name}-{{.stage}}"}
    spec:
      project: default
      source: {repoURL: REPOSITORY, path: web, targetRevision: main}
      destination: {name: in-cluster, namespace: "${name}-{{.stage}}"}`;

describe('the actions of the web application', { skip }, () => {
  const instance = running();

  for (const { name: by, handOf } of hands) {
    test(`an Application is refreshed, synced, and its objects are restarted and deleted with the ${by}`, async () => {
      const session = await instance.open();
      const { page } = session;
      const { press } = handOf(page);
      const dialog = page.getByRole('dialog').last();
      await session.open(web);
      await press(page.getByRole('button', { name: 'Refresh', exact: true }));
      await page.getByText('Refresh requested').first().waitFor();
      await press(page.locator('.app-title').getByRole('button', { name: 'Sync', exact: true }));
      await dialog.getByText('Plan', { exact: true }).waitFor();
      await press(dialog.getByRole('checkbox', { name: /^Prune/u }));
      await press(dialog.getByRole('button', { name: 'Sync', exact: true }));
      await page.getByText('Sync started').first().waitFor();

      await session.open(`${web}?section=pods`);
      await press(page.locator('.pod').first());
      await press(page.getByRole('button', { name: 'Actions', exact: true }));
      await press(page.getByRole('menuitem', { name: 'Delete' }));
      await press(dialog.getByRole('button', { name: 'Delete' }));
      await page.getByText('Deletion requested').first().waitFor();

      await session.open(`${web}?resource=apps:Deployment:demo/web`);
      await press(page.getByRole('button', { name: 'Actions', exact: true }));
      await press(page.getByRole('menuitem', { name: /restart/iu }));
      await page
        .getByText(/restart requested/iu)
        .first()
        .waitFor();
      await press(page.getByRole('button', { name: 'Actions', exact: true }));
      await press(page.getByRole('menuitem', { name: 'Sync only this' }));
      await dialog.getByText('1 object chosen').waitFor();
      await press(dialog.getByRole('button', { name: 'Cancel' }));
      assert.deepEqual(session.problems, []);
      await session.context.close();
    });

    test(`an Application is created after a preview, and deleted with the ${by}`, async () => {
      const session = await instance.open();
      const { page } = session;
      const { press, fill } = handOf(page);
      const name = `new-by-${by}`;
      await session.open('/new-application');
      await fill(page.getByLabel('Name', { exact: true }), name);
      await fill(page.getByLabel('Repository URL'), demoRepository(instance.up));
      await fill(page.getByLabel('Path'), 'no-such-folder');
      await fill(page.getByLabel('Namespace', { exact: true }), name);
      await page
        .getByRole('alert')
        .getByText(/no-such-folder/u)
        .waitFor();
      await fill(page.getByLabel('Path'), 'web');
      await page.getByText(/objects rendered as/u).waitFor();
      assert.deepEqual(await session.violations(), []);
      await session.screenshot(`create-${by}`);
      await press(page.getByRole('button', { name: 'Create', exact: true }));
      await page.getByRole('heading', { name, level: 1 }).waitFor();

      await press(page.getByRole('button', { name: 'More actions' }));
      await press(page.getByRole('menuitem', { name: 'Delete' }));
      const dialog = page.getByRole('dialog');
      assert.equal(await dialog.getByRole('button', { name: 'Delete' }).isDisabled(), true, 'the name is typed first');
      await fill(dialog.getByLabel(`Type ${name} to confirm`), name);
      await press(dialog.getByRole('button', { name: 'Delete' }));
      await page.waitForURL(/\/applications$/u);
      await session.context.close();
    });

    test(`projects, repositories and tokens are added, changed and removed with the ${by}`, async () => {
      await createRobot(instance.up);
      const session = await instance.open();
      const { page } = session;
      const { press, fill } = handOf(page);
      const dialog = page.getByRole('dialog').last();
      const name = `project-by-${by}`;
      await session.open('/projects');
      await press(page.getByRole('button', { name: 'New project' }));
      await fill(dialog.getByLabel('Project'), 'Not A Name');
      await press(dialog.getByRole('button', { name: 'Save' }));
      await dialog.getByRole('alert').waitFor();
      await fill(dialog.getByLabel('Project'), name);
      await fill(dialog.getByLabel('Destinations'), 'in-cluster/team-*');
      assert.deepEqual(await session.violations(), []);
      await press(dialog.getByRole('button', { name: 'Save' }));
      await page.getByRole('cell', { name: 'in-cluster / team-*' }).waitFor();
      await press(page.getByRole('button', { name: `Edit ${name}` }));
      await fill(dialog.getByLabel('Description'), 'changed');
      await press(dialog.getByRole('button', { name: 'Save' }));
      await page.getByRole('cell', { name: 'changed' }).waitFor();
      await press(page.getByRole('button', { name: `Remove ${name}?` }));
      await press(dialog.getByRole('button', { name: 'Remove' }));
      await page.getByRole('cell', { name: 'changed' }).waitFor({ state: 'detached' });

      await session.open('/repositories');
      const url = demoRepository(instance.up);
      await press(page.getByRole('button', { name: 'Add repository' }));
      await fill(dialog.getByLabel('URL'), url);
      await press(dialog.getByRole('button', { name: 'Add repository' }));
      await press(page.getByRole('button', { name: `Remove ${url}?` }));
      await press(dialog.getByRole('button', { name: 'Remove' }));
      await page.getByRole('button', { name: `Remove ${url}?` }).waitFor({ state: 'detached' });

      await session.open('/accounts');
      await press(page.getByRole('row', { name: /robot/u }).getByRole('button', { name: /token/u }));
      await fill(dialog.getByLabel('Id (optional)'), `token-by-${by}`);
      await press(dialog.getByRole('button', { name: 'Create token' }));
      await dialog.getByText('Copy the token now').waitFor();
      await press(dialog.getByRole('button', { name: `Revoke token-by-${by}` }));
      await page.getByText('Token revoked').first().waitFor();
      await session.context.close();
    });

    test(`an ApplicationSet is created after a preview, and removed with the ${by}`, async () => {
      const session = await instance.open();
      const { page } = session;
      const { press, fill } = handOf(page);
      const dialog = page.getByRole('dialog').last();
      const name = `set-by-${by}`;
      await session.open('/applicationsets');
      await press(page.getByRole('button', { name: 'New ApplicationSet' }));
      await fill(dialog.getByLabel('Manifest'), set(name).replace('REPOSITORY', demoRepository(instance.up)));
      await dialog.getByRole('cell', { name: `${name}-prod`, exact: true }).waitFor();
      assert.deepEqual(await session.violations(), []);
      await session.screenshot(`set-${by}`);
      await press(dialog.getByRole('button', { name: 'Save' }));
      await page.getByRole('heading', { name, exact: true }).waitFor();
      await page.getByRole('link', { name: new RegExp(`${name}-dev`, 'u') }).waitFor();
      await press(page.getByRole('button', { name: `Remove ${name}?` }));
      await press(dialog.getByRole('button', { name: 'Remove' }));
      await page.getByRole('heading', { name, exact: true }).waitFor({ state: 'detached' });
      await session.context.close();
    });

    test(`many Applications are suspended, resumed and refreshed after a plan with the ${by}`, async () => {
      const session = await instance.open();
      const { page } = session;
      const { press, fill } = handOf(page);
      const dialog = page.getByRole('dialog').last();
      await session.open('/applications?q=storefront');
      for (const action of ['Suspend auto-sync', 'Resume auto-sync', 'Refresh']) {
        await press(page.getByRole('checkbox', { name: 'Select all that match' }));
        await press(page.getByRole('button', { name: action, exact: true }));
        await dialog.getByText('What will happen').waitFor();
        await press(dialog.getByRole('button', { name: `${action} 1 Application` }));
        await dialog.waitFor({ state: 'detached' });
      }
      await press(page.getByRole('button', { name: 'Saved views' }));
      await press(page.getByRole('menuitem', { name: 'Save this view' }));
      await fill(dialog.getByLabel('Name of the view'), 'shop');
      await press(dialog.getByRole('button', { name: 'Save this view' }));
      await session.open('/applications');
      await press(page.getByRole('button', { name: 'Saved views' }));
      await press(page.getByRole('menuitem', { name: 'shop', exact: true }));
      await page.waitForURL(/q=storefront/u);
      await press(page.getByRole('button', { name: 'Theme' }));
      await press(page.getByRole('menuitem', { name: 'Light' }));
      assert.equal(await page.locator('html').getAttribute('data-theme'), 'light');
      assert.deepEqual(session.problems, []);
      await session.context.close();
    });
  }

  test('what is out of sync shows its fields, a plan, and is synced from the page', async () => {
    await setManualSync(instance.up, 'web');
    const session = await instance.open();
    const { page } = session;
    await session.open(`${web}?section=diff`);
    await page.getByText('spec.replicas', { exact: true }).waitFor();
    assert.deepEqual(await session.violations(), []);
    await session.screenshot('diff-fields');
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.locator('.cm-mergeView').waitFor();
    assert.deepEqual(await session.violations(), []);
    await page.getByRole('button', { name: 'Sync', exact: true }).click();
    await page.getByText('update', { exact: true }).waitFor();
    await session.screenshot('sync-plan');
    await page.getByRole('dialog').getByRole('button', { name: 'Sync', exact: true }).click();
    await page.locator('.app-title').getByText('Synced', { exact: true }).waitFor();
    assert.deepEqual(session.problems, []);
    await session.context.close();
  });

  test('two deployments are compared, and the older one is rolled back to', async () => {
    const session = await instance.open();
    const { page } = session;
    commitReplicas(instance.up, 4);
    await session.open(`${web}?dialog=sync`);
    await page.getByRole('dialog').getByRole('button', { name: 'Sync', exact: true }).click();
    await waitForRevisions(instance.up, 'web', 2);
    await session.open(`${web}?section=history`);
    await page.getByText('Run 4 replicas of the web page').waitFor();
    await page.getByRole('button', { name: 'What changed' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('0 added, 1 changed, 0 removed').waitFor();
    await dialog.locator('.cm-insertedLine, .cm-changedLine').getByText('replicas: 4').waitFor();
    assert.deepEqual(await session.violations(), []);
    await session.screenshot('history-compare');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Roll back' }).first().click();
    await dialog.getByText('update', { exact: true }).waitFor();
    await session.screenshot('rollback');
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await page.getByText('Rollback started').waitFor();
    assert.deepEqual(session.problems, []);
    await session.context.close();
  });
});
