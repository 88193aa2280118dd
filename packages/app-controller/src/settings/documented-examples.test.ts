/** The examples of docs/clusters-and-settings.md are read as the controller reads them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { type AppProject, appProjectKind } from '@fairlead/api';
import type { KubeObject, Secret } from '@fairlead/apimachinery';
import { createCustomHealth, createLua, ignoredOf } from '@fairlead/engine';
import { readYaml } from '@fairlead/render/go-yaml';
import { readClusterSecret } from '../cluster/cluster-secret.ts';
import { serviceAccountFor } from '../project/impersonation.ts';
import { signaturePolicies } from '../source/signature-policy.ts';
import { readInstallation } from './read-installation.ts';

const page = readFileSync(new URL('../../../../docs/clusters-and-settings.md', import.meta.url), 'utf8');
const [secret, , settings, acting, project, annotated] = [...page.matchAll(/```yaml\n(.*?)```/gsu)].map(([, text]) =>
  readYaml(text!),
) as [
  KubeObject & { stringData: Record<string, string> },
  KubeObject,
  KubeObject & { data: Record<string, string> },
  AppProject,
  AppProject,
  KubeObject,
];

test('the example of a cluster Secret is valid', () => {
  const data = Object.fromEntries(
    Object.entries(secret.stringData).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
  );
  const { config, problem } = readClusterSecret({ ...secret, data } as Secret);
  assert.equal(problem, undefined);
  assert.deepEqual(config?.namespaces, ['web', 'shop']);
});

test('the example of the settings is valid, and its script works', async () => {
  const read = readInstallation(settings.data);
  assert.deepEqual(read.problems, []);
  const object = (status: object): KubeObject =>
    ({ apiVersion: 'example.org/v1', kind: 'Workload', metadata: { name: 'w' }, status }) as unknown as KubeObject;
  const lua = createLua();
  after(() => lua.close());
  const { assess } = createCustomHealth(read.healthScripts, lua);
  assert.deepEqual(await assess(object({})), { status: 'Progressing', message: 'Waiting for the first report' });
  const conditions = [{ type: 'Ready', status: 'True', message: 'fine' }];
  assert.deepEqual(await assess(object({ conditions })), { status: 'Healthy', message: 'fine' });
});

test('the example of a project with service accounts is valid', () => {
  assert.deepEqual(appProjectKind.validate(acting), []);
  const spec = { project: 'shop', destination: { namespace: 'shop-web' } };
  const application = { metadata: { name: 'web' }, spec };
  const user = (server: string) => serviceAccountFor(acting, { name: '', server }, application);
  assert.equal(user('https://kubernetes.default.svc'), 'system:serviceaccount:shop-web:deployer');
  assert.equal(user('https://other'), 'system:serviceaccount:ops:deployer');
});

test('the example of a project with signatureKeys is valid', () => {
  assert.deepEqual(appProjectKind.validate(project), []);
  assert.deepEqual(signaturePolicies(project, 'https://git.example/shop'), [
    { field: 'spec.signatureKeys', keys: ['4AEE18F83AFDEB23'] },
  ]);
});

test('the example of ignored differences is valid', () => {
  const { pointers, expressions } = ignoredOf([], { ...annotated, apiVersion: 'apps/v1', kind: 'Deployment' });
  assert.deepEqual(pointers, ['/spec/replicas']);
  assert.equal(expressions.length, 1);
});
