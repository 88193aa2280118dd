import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, AppProject } from '@fairlead/api';
import { ApiError } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { application } from '../../../test/support/application.ts';
import { windowsOf } from '../operations/sync-windows.ts';
import { unwatched } from './installation.ts';
import { projectOf } from './project.ts';

type Objects = Readonly<Record<string, object>>;

/** A server with these objects, `kind/name`. */
const server = (objects: Objects): Pick<ApiClient, 'get'> => ({
  get: async <T>({ kind }: { kind: string }, { name }: { name: string }): Promise<T> => {
    const found = objects[`${kind}/${name}`];
    if (found) return found as T;
    const message = `${kind} ${name} not found`;
    throw new ApiError({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      code: 404,
      reason: 'NotFound',
      message,
    });
  },
});
const project = (name: string, spec: AppProject['spec'], labels: Record<string, string> = {}): AppProject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name, namespace: 'argocd', labels },
  spec,
});
const night = { kind: 'deny', schedule: '0 0 * * *', duration: '24h', applications: ['*'] };

test('sync windows of global projects block a sync from the command line too', async () => {
  const client = server({
    'AppProject/default': project('default', {}, { tier: 'production' }),
    'AppProject/company': project('company', { syncWindows: [night] }),
    'ConfigMap/argocd-cm': {
      data: { globalProjects: '- projectName: company\n  labelSelector:\n    matchLabels: {tier: production}\n' },
    },
  });
  const app = application();
  const found = await projectOf(client, app);
  assert.match(windowsOf(found!, app, Date.UTC(2030, 0, 1, 12)).manual ?? '', /the deny window '0 0 \* \* \*' for 24h/);
});

test('without settings a project has only its own rules; an unknown project is undefined', async () => {
  const own = project('default', { syncWindows: [night] });
  assert.deepEqual(await projectOf(server({ 'AppProject/default': own }), application()), own);
  assert.equal(await projectOf(server({}), application()), undefined);
});

test('reports the watched namespaces for an Application outside of them', async () => {
  const settings = { 'ConfigMap/argocd-cmd-params-cm': { data: { 'application.namespaces': 'team-*, /^x[0-9]$/' } } };
  const at = (namespace: string, objects: Objects = settings) => unwatched(server(objects), application({ namespace }));
  assert.equal(await at('argocd'), undefined);
  assert.equal(await at('team-a'), undefined);
  assert.equal(await at('x1'), undefined);
  assert.equal(await at('other'), 'argocd, team-*, /^x[0-9]$/');
  assert.equal(await at('other', {}), 'argocd');
  assert.equal(
    await at('edge', { 'Agent/edge': {} }),
    undefined,
    'Applications of an agent are reconciled by its cluster',
  );
  const app = application({ namespace: 'other' });
  const far: Application = { ...app, spec: { ...app.spec, destination: { name: 'north', namespace: 'x' } } };
  assert.equal(
    await unwatched(server({ 'Agent/north': {} }), far),
    undefined,
    'so are those with an agent as destination',
  );
});
