import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Application, applicationKind, gitopsDeploymentKind } from '@fairlead/api';
import { sql } from 'kysely';
import type { OpenDatabase } from '../../src/database/index.ts';
import { databases } from '../support/databases.ts';
import { whileOthersWork } from '../support/other-tenant.ts';
import { deployment, startTestService, type TestService, until } from '../support/test-service.ts';

/** Rows that no GitOpsDeployment belongs to: self-healing must not deploy them. */
let database: OpenDatabase;
let service: TestService;

before(async () => {
  const [embedded] = databases;
  database = await embedded!.open();
  service = await startTestService(database, { settings: { selfHealing: true, healMs: 200 } });
  await service.namespace('blue');
});
after(() => service?.close());

const find = (uid: string) => service.find<Application>(applicationKind.type, 'argocd', `gitopsdepl-${uid}`);
const created = async (name: string): Promise<string> => {
  const made = await service.client.create(gitopsDeploymentKind.type, deployment('blue', name));
  await until(async () => (await find(made.metadata.uid!)) !== undefined);
  return made.metadata.uid!;
};
const healed = () => new Promise((resolve) => setTimeout(resolve, 1_500));

test('the row of a deployment that was deleted while the backend was down is not deployed again', async () => {
  const uid = await created('shop');
  await service.stop('backend');
  await service.client.delete(gitopsDeploymentKind.type, { namespace: 'blue', name: 'shop' });
  await service.client.delete(applicationKind.type, { namespace: 'argocd', name: `gitopsdepl-${uid}` });
  await healed();
  assert.equal(await find(uid), undefined);
  service.start('backend');
  await until(async () => (await rowsOf(uid)) === 0);
});

const rowsOf = async (uid: string): Promise<number> =>
  (await database.db.selectFrom('application').select('name').where('application_id', '=', uid).execute()).length;

test('a row without a mapping is not deployed, and is removed', async () => {
  const uid = await created('web');
  await whileOthersWork(service, async () => {
    await sql`INSERT INTO application SELECT (jsonb_populate_record(application, '{"application_id": "stray", "name": "gitopsdepl-stray"}')).*
      FROM application WHERE application_id = ${uid}`.execute(database.db);
    await until(async () => (await rowsOf('stray')) === 0);
  });
  await healed();
  assert.equal(await find('stray'), undefined);
  assert.ok(await find(uid), 'a deployment is kept');
});

test('a deployment whose mapping was lost gets it again', async () => {
  const uid = await created('lost');
  await database.db.deleteFrom('deploymenttoapplicationmapping').where('application_id', '=', uid).execute();
  const mapped = () =>
    database.db.selectFrom('deploymenttoapplicationmapping').select('name').where('application_id', '=', uid).execute();
  await until(async () => (await mapped()).length === 1);
  assert.ok(await find(uid));
});
