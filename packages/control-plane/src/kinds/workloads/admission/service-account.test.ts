import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, type Parts, podOf } from '../../../../test/support/workload-harness.ts';

const account = (fields: object = {}) => ({ metadata: { name: 'default', namespace: 'default' }, ...fields });
const tried = (parts: Parts = {}, accounts: readonly object[] = [account()]) =>
  create(podOf(parts), { admission: { serviceAccount: true }, stored: { 'core/serviceaccounts': accounts } });

test('a pod runs as the default ServiceAccount, with its token', () => {
  const { object, problems } = tried();
  const spec = object.spec as { volumes: { name: string }[]; containers: { volumeMounts: object[] }[] };
  assert.deepEqual(problems, []);
  assert.equal(object.spec['serviceAccountName'], 'default');
  assert.equal(object.spec['serviceAccount'], 'default');
  const name = spec.volumes[0]!.name;
  assert.match(name, /^kube-api-access-[a-z0-9]{5}$/);
  assert.deepEqual(spec.volumes, [
    {
      name,
      projected: {
        defaultMode: 420,
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
          { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          {
            downwardAPI: {
              items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
            },
          },
        ],
      },
    },
  ]);
  const mount = { name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };
  assert.deepEqual(spec.containers[0]!.volumeMounts, [mount]);
});

test('no token if pod or account disable it, or something else is mounted there', () => {
  assert.equal(tried({ spec: { automountServiceAccountToken: false } }).object.spec['volumes'], undefined);
  const without = account({ automountServiceAccountToken: false });
  assert.equal(tried({}, [without]).object.spec['volumes'], undefined);
  assert.notEqual(tried({ spec: { automountServiceAccountToken: true } }, [without]).object.spec['volumes'], undefined);
  const volumeMounts = [{ name: 'v', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }];
  const own = tried({ container: { volumeMounts }, spec: { volumes: [{ name: 'v' }] } }).object;
  assert.equal((own.spec['volumes'] as unknown[]).length, 1);
});

test('imagePullSecrets are inherited from the account', () => {
  const accounts = [account({ imagePullSecrets: [{ name: 'pull' }] })];
  assert.deepEqual(tried({}, accounts).object.spec['imagePullSecrets'], [{ name: 'pull' }]);
  const own = { imagePullSecrets: [{ name: 'own' }] };
  assert.deepEqual(tried({ spec: own }, accounts).object.spec['imagePullSecrets'], own.imagePullSecrets);
});

test('a missing account is refused', () => {
  assert.equal(
    tried({ spec: { serviceAccountName: 'robot' } }).refusal,
    'pods "web" is forbidden: error looking up service account default/robot: serviceaccount "robot" not found',
  );
});

test('an account may limit the Secrets that its pods mount', () => {
  const strict = account({
    metadata: {
      name: 'default',
      namespace: 'default',
      annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' },
    },
    secrets: [{ name: 'mine' }],
  });
  const mounting = (secretName: string) =>
    tried({ spec: { volumes: [{ name: 'v', secret: { secretName } }] } }, [strict]).refusal;
  assert.equal(mounting('mine'), undefined);
  assert.equal(
    mounting('other'),
    'pods "web" is forbidden: volume with secret.secretName="other" is not allowed because service account default does not reference that secret',
  );
});

test('a static pod has no ServiceAccount', () => {
  const metadata = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
  assert.equal(
    tried({ metadata, spec: { nodeName: 'n', serviceAccountName: 'default' } }).refusal,
    'pods "web" is forbidden: a mirror pod may not reference service accounts',
  );
  assert.equal(tried({ metadata, spec: { nodeName: 'n' } }).object.spec['serviceAccountName'], undefined);
});
