import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, type KubeObject, type ResourceType, unstructured } from '@fairlead/apimachinery';
import { lastAppliedAnnotation, lastAppliedText } from '../diff/last-applied.ts';
import { clientDryRun } from './client-dry-run.ts';

const type: ResourceType = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const configMap = (metadata: JsonObject, data: JsonObject = {}): KubeObject =>
  unstructured({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'web', ...metadata }, data });
const a = (data: JsonObject): KubeObject => configMap({ name: 'a' }, data);

test('objects are reported as created, configured, replaced or unchanged', () => {
  const applied = { [lastAppliedAnnotation]: lastAppliedText(a({ n: '1' })) };
  const live = configMap({ name: 'a', annotations: applied }, { n: '1' });
  assert.equal(clientDryRun(type, a({ n: '1' }), undefined), 'configmap/a created (dry run)');
  assert.equal(clientDryRun(type, a({ n: '1' }), live), 'configmap/a unchanged (dry run)');
  assert.equal(clientDryRun(type, a({ n: '2' }), live), 'configmap/a configured (dry run)');
  assert.equal(clientDryRun(type, a({ n: '2' }), live, { replace: true }), 'configmap/a replaced (dry run)');
  assert.match(
    clientDryRun(type, a({}), a({})),
    /^configmap\/a configured \(dry run\)\. Warning: resource configmaps\/a is missing/,
  );
});

test('RBAC objects are reconciled first', () => {
  const role = unstructured({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'r' } });
  const name = 'role.rbac.authorization.k8s.io/r';
  assert.equal(
    clientDryRun({ ...type, group: 'rbac.authorization.k8s.io', kind: 'Role', plural: 'roles' }, role, undefined),
    `${name} reconciled (dry run). reconciliation required create${name} created (dry run)`,
  );
});

test('an object that cannot be sent is rejected with the same message as kubectl', () => {
  const cases: [KubeObject, string][] = [
    [configMap({ generateName: 'gen-' }), 'from gen-: cannot use generate name with apply'],
    [
      configMap({}),
      'error when retrieving current configuration of:\nResource: "/v1, Resource=configmaps", GroupVersionKind: "/v1, Kind=ConfigMap"\nName: "", Namespace: "web"\nfrom server for: "configmap": resource name may not be empty',
    ],
    [
      configMap({ name: 'a', labels: { on: true } }),
      'unable to decode "configmap/a": json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string',
    ],
  ];
  for (const [object, message] of cases) assert.throws(() => clientDryRun(type, object, undefined), { message });
});
