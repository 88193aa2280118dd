import { after, before, describe, test } from 'node:test';
import {
  type Application,
  type AppProject,
  applicationKind,
  appProjectKind,
  gitopsDeploymentKind,
} from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import type { OpenDatabase } from '../src/database/index.ts';
import { databases } from './support/databases.ts';
import { otherwise, runAgent } from './support/other-controller.ts';
import { deployment, startTestService, type TestService, until } from './support/test-service.ts';

for (const { name: databaseName, open, skip } of databases) {
  describe(`a project written while its tenant makes changes, on ${databaseName}`, { skip: skip ?? false }, () => {
    let database: OpenDatabase;
    let service: TestService;
    const stop = new AbortController();
    let running: Promise<void> | undefined;
    let tenant: string;

    before(async () => {
      database = await open();
      service = await startTestService(database);
      await service.stop('agent');
      tenant = await service.namespace('blue');
    });
    after(async () => {
      stop.abort();
      await running;
      await service?.close();
    });

    test('permits what was deployed in the meantime', async () => {
      let isHeld = false;
      let letGo = (): void => {};
      const held = new Promise<void>((resolve) => (letGo = resolve));
      const client = service.plane.client('agent');
      const replace: ApiClient['replace'] = async (type, object, options) => {
        if (type.kind === 'AppProject' && !isHeld) {
          isHeld = true;
          await held;
        }
        return client.replace(type, object, options);
      };
      running = runAgent(service, { owner: 'held', client: otherwise(client, { replace }) }, stop.signal);
      const create = async (name: string): Promise<void> => {
        const { metadata } = await service.client.create(gitopsDeploymentKind.type, deployment('blue', name));
        const application = `gitopsdepl-${metadata.uid}`;
        await until(
          async () => (await service.find<Application>(applicationKind.type, 'argocd', application)) !== undefined,
        );
      };
      await create('first');
      await service.client.delete(gitopsDeploymentKind.type, { namespace: 'blue', name: 'first' });
      await until(() => isHeld);
      await create('second');
      letGo();
      const project = `app-project-${tenant}`;
      await until(async () => {
        const written = await service.find<AppProject>(appProjectKind.type, 'argocd', project);
        // The first is from before: the delayed write is complete when there is another.
        return (written?.metadata.generation ?? 0) > 1 && written?.spec.sourceRepos?.length === 1;
      });
    });
  });
}
