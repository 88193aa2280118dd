import { after, before, describe, test } from 'node:test';
import { type Application, applicationKind, type GitOpsDeployment, gitopsDeploymentKind } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import type { OpenDatabase } from '../src/database/index.ts';
import { databases } from './support/databases.ts';
import { otherwise, runAgent } from './support/other-controller.ts';
import { deployment, startTestService, type TestService, until } from './support/test-service.ts';

for (const { name: databaseName, open, skip } of databases) {
  describe(`an agent that is slower than its lease, on ${databaseName}`, { skip: skip ?? false }, () => {
    let database: OpenDatabase;
    let service: TestService;
    const stop = new AbortController();
    const running: Promise<void>[] = [];

    before(async () => {
      database = await open();
      service = await startTestService(database);
      await service.stop('agent');
      await service.namespace('blue');
    });
    after(async () => {
      stop.abort();
      await Promise.all(running);
      await service?.close();
    });

    const startAgent = (owner: string, client: ApiClient): void => {
      running.push(runAgent(service, { owner, client, settings: { pollMs: 100, leaseMs: 300 } }, stop.signal));
    };
    const find = (uid: string) => service.find<Application>(applicationKind.type, 'argocd', `gitopsdepl-${uid}`);

    test('does not leave an object that another process has deleted', async () => {
      let isHeld = false;
      let isMade = false;
      let letGo = (): void => {};
      const held = new Promise<void>((resolve) => (letGo = resolve));
      const client = service.plane.client('slow');
      const create: ApiClient['create'] = async (type, object, options) => {
        if (type.kind === 'Application' && !isHeld) {
          isHeld = true;
          await held;
        }
        const made = await client.create(type, object, options);
        isMade ||= type.kind === 'Application';
        return made;
      };
      startAgent('slow', otherwise(client, { create }));
      const made = await service.client.create(gitopsDeploymentKind.type, deployment('blue', 'shop'));
      const uid = made.metadata.uid!;
      await until(() => isHeld);
      await service.client.delete(gitopsDeploymentKind.type, { namespace: 'blue', name: 'shop' });
      startAgent('quick', service.plane.client('quick'));
      const isDone = async (): Promise<boolean> => {
        const due = await database.db
          .selectFrom('operation')
          .select('operation_id')
          .where('resource_id', '=', uid)
          .whereRef('reached', '<', 'generation')
          .execute();
        return due.length === 0;
      };
      await until(async () => !(await service.find<GitOpsDeployment>(gitopsDeploymentKind.type, 'blue', 'shop')));
      await until(isDone);
      letGo();
      await until(() => isMade);
      await until(async () => (await find(uid)) === undefined && (await isDone()));
    });
  });
}
