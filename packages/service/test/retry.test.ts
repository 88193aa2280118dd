import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type GitOpsDeployment, gitopsDeploymentKind } from '@fairlead/api';
import { databaseOver, type OpenDatabase } from '../src/database/index.ts';
import { databases } from './support/databases.ts';
import { deployment, startTestService, type TestService, until } from './support/test-service.ts';

for (const { name: databaseName, open, skip } of databases) {
  describe(`a failure that is retried, on ${databaseName}`, { skip: skip ?? false }, () => {
    let away = false;
    let service: TestService;

    /** A database that can be unavailable. */
    async function fickle(): Promise<OpenDatabase> {
      const database = await open();
      const { pool } = database;
      const connect: typeof pool.connect = async () => {
        if (away) throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
        return pool.connect();
      };
      return { ...database, db: databaseOver({ ...pool, connect }) };
    }

    before(async () => {
      service = await startTestService(await fickle());
      await service.namespace('blue');
    });
    after(async () => {
      away = false;
      await service?.close();
    });

    const read = () => service.find<GitOpsDeployment>(gitopsDeploymentKind.type, 'blue', 'shop');
    const error = async () => (await read())?.status?.conditions?.find(({ type }) => type === 'ErrorOccurred');

    test('a problem that the tenant cannot fix is reported, and the previous status is kept', async () => {
      await service.client.create(gitopsDeploymentKind.type, deployment('blue', 'shop'));
      await until(async () => (await read())?.status?.sync?.status === 'Synced');
      away = true;
      await service.client.patch(gitopsDeploymentKind.type, { namespace: 'blue', name: 'shop' }, 'merge', {
        spec: { source: { path: 'other' } },
      });
      await until(async () => (await error())?.reason === 'Retrying');
      assert.equal((await error())?.message, 'the database does not respond: retrying');
      assert.equal((await read())?.status?.sync?.status, 'Synced');
      away = false;
      await until(async () => (await error())?.reason === 'ErrorOccurredResolved');
      await until(async () => (await read())?.status?.reconciledState.source.path === 'other');
    });
  });
}
