import { after, before, describe, test } from 'node:test';
import { type Application, applicationKind, gitopsDeploymentKind } from '@fairlead/api';
import { sql } from 'kysely';
import type { OpenDatabase } from '../src/database/index.ts';
import { databases } from './support/databases.ts';
import { deployment, startTestService, type TestService, until } from './support/test-service.ts';

const { open, skip } = databases.find(({ name }) => name === 'PostgreSQL')!;

/** PGlite has one connection: no other can lock a row meanwhile. */
describe('an Operation whose row is locked, on PostgreSQL', { skip: skip ?? false }, () => {
  let database: OpenDatabase;
  let service: TestService;

  before(async () => {
    database = await open();
    service = await startTestService(database, { settings: { pollMs: 600_000 } });
    await service.namespace('blue');
  });
  after(() => service?.close());

  test('is processed once it is unlocked, without another notification', async () => {
    await service.stop('agent');
    const { metadata } = await service.client.create(gitopsDeploymentKind.type, deployment('blue', 'shop'));
    const operation = `application-${metadata.uid}`;
    const isThere = async (): Promise<boolean> => {
      const rows = await database.db.selectFrom('operation').select('operation_id').execute();
      return rows.some(({ operation_id }) => operation_id === operation);
    };
    await until(isThere);
    await database.db.transaction().execute(async (tx) => {
      await sql`SELECT 1 FROM operation WHERE operation_id = ${operation} FOR UPDATE`.execute(tx);
      service.start('agent');
      // Long enough for the agent to attempt it; if it is slower, the test merely checks less.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    });
    const name = `gitopsdepl-${metadata.uid}`;
    await until(async () => (await service.find<Application>(applicationKind.type, 'argocd', name)) !== undefined);
  });
});
