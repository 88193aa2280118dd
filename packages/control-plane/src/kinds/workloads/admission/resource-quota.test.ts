import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@fairlead/apimachinery';
import { contextOf, create, decoded, type Parts, podOf } from '../../../../test/support/workload-harness.ts';
import { quotaAdmission } from './resource-quota.ts';

const pods = { group: '', plural: 'pods', kind: 'Pod', storage: 'core/pods' };
const quota = (hard: object, used: object, spec: object = {}) => ({
  metadata: { name: 'q', namespace: 'default' },
  spec: { hard, ...spec },
  status: { hard, used },
});

function refusal(resource: typeof pods, object: object, quotas: readonly object[], present: readonly object[] = []) {
  const stored = { 'core/resourcequotas': quotas, [resource.storage]: present };
  const draft = decoded(object);
  draft.metadata.namespace = 'default';
  try {
    quotaAdmission(resource)(draft, undefined, contextOf('create', { stored }, []));
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
  return undefined;
}

const cpu = (amount: string): Parts => ({ container: { resources: { requests: { cpu: amount } } } });

test('a pod uses the remaining quota', () => {
  const limits = quota({ 'requests.cpu': '2', pods: '5' }, { 'requests.cpu': '1500m', pods: '1' });
  assert.equal(refusal(pods, podOf(cpu('500m')), [limits]), undefined);
  assert.equal(
    refusal(pods, podOf(cpu('600m')), [limits]),
    'pods "web" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=1500m, limited: requests.cpu=2',
  );
});

test('existing objects count even if no controller has updated the status yet', () => {
  const limits = quota({ pods: '1' }, { pods: '0' });
  const present = create(podOf({ metadata: { name: 'first' } })).object;
  assert.equal(
    refusal(pods, podOf(), [limits], [present]),
    'pods "web" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
  );
  const over = { ...present, status: { phase: 'Succeeded' } };
  assert.equal(refusal(pods, podOf(), [limits], [over]), undefined);
});

test('a pod under a quota must specify the limited resources', () => {
  const limits = quota({ 'limits.memory': '1Gi' }, { 'limits.memory': '0' });
  assert.equal(
    refusal(pods, podOf(), [limits]),
    'pods "web" is forbidden: failed quota: q: must specify limits.memory for: main',
  );
});

for (const [title, spec, parts, limited] of [
  ['pods without a claim', { scopes: ['BestEffort'] }, {}, true],
  ['pods with one', { scopes: ['BestEffort'] }, cpu('1'), false],
  ['pods that do not end', { scopes: ['NotTerminating'] }, { spec: { activeDeadlineSeconds: 5 } }, false],
  [
    'pods of a priority',
    { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] } },
    { spec: { priorityClassName: 'high' } },
    true,
  ],
] as const) {
  test(`a quota for ${title} ${limited ? 'limits' : 'ignores'} this pod`, () => {
    const message = refusal(pods, podOf(parts), [quota({ pods: '0' }, { pods: '0' }, spec)]);
    assert.equal(message !== undefined, limited);
  });
}

test('object counts work for any kind', () => {
  const maps = { group: '', plural: 'configmaps', kind: 'ConfigMap', storage: 'core/configmaps' };
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } };
  for (const name of ['configmaps', 'count/configmaps']) {
    assert.equal(
      refusal(maps, map, [quota({ [name]: '1' }, { [name]: '1' })]),
      `configmaps "m" is forbidden: exceeded quota: q, requested: ${name}=1, used: ${name}=1, limited: ${name}=1`,
    );
  }
});

test('services are counted by type', () => {
  const services = { group: '', plural: 'services', kind: 'Service', storage: 'core/services' };
  const service = (type: string) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { type, ports: [{ port: 80 }, { port: 81 }] },
  });
  const limits = quota({ 'services.nodeports': '1' }, { 'services.nodeports': '0' });
  assert.equal(refusal(services, service('ClusterIP'), [limits]), undefined);
  assert.equal(
    refusal(services, service('NodePort'), [limits]),
    'services "s" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=0, limited: services.nodeports=1',
  );
});
