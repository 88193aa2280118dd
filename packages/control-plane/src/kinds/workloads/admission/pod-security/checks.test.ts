import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, type Parts, podOf, templateOf, update } from '../../../../../test/support/workload-harness.ts';

const namespace = (labels: object): object => ({
  stored: {
    'core/namespaces': [
      {
        metadata: {
          name: 'default',
          labels: Object.fromEntries(
            Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]),
          ),
        },
      },
    ],
  },
});
const admission = { serviceAccount: false };
const refused = (parts: Parts, level: string) =>
  create(podOf(parts), { ...namespace({ enforce: level }), admission }).refusal?.replace(
    /^.*?: violates PodSecurity "[^"]*": /,
    '',
  );
const hard = { securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } };
const tight = { securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } };

for (const [title, given, expected] of [
  ['nothing special', {}, undefined],
  [
    'the network of the host',
    { spec: { hostNetwork: true, hostPID: true } },
    'host namespaces (hostNetwork=true, hostPID=true)',
  ],
  [
    'a path of the host',
    {
      spec: {
        volumes: [
          { name: 'a', hostPath: { path: '/' } },
          { name: 'b', hostPath: { path: '/' } },
        ],
      },
    },
    'hostPath volumes (volumes "a", "b")',
  ],
  [
    'a port of the host',
    { container: { ports: [{ containerPort: 80, hostPort: 80 }] } },
    'hostPort (container "main" uses hostPort 80)',
  ],
  [
    'capabilities',
    { container: { securityContext: { capabilities: { add: ['NET_ADMIN', 'CHOWN'] } } } },
    'non-default capabilities (container "main" must not include "NET_ADMIN" in securityContext.capabilities.add)',
  ],
  [
    'no profile at all',
    { spec: { securityContext: { seccompProfile: { type: 'Unconfined' } } } },
    'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    'no guard',
    { container: { securityContext: { appArmorProfile: { type: 'Unconfined' } } } },
    'forbidden AppArmor profile (container "main" must not set AppArmor profile type to "Unconfined")',
  ],
  [
    'a custom label',
    { spec: { securityContext: { seLinuxOptions: { type: 'spc_t', user: 'root' } } } },
    'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set)',
  ],
  [
    'settings of the kernel',
    {
      spec: {
        securityContext: {
          sysctls: [
            { name: 'kernel.msgmax', value: '1' },
            { name: 'net.ipv4.tcp_syncookies', value: '1' },
          ],
        },
      },
    },
    'forbidden sysctls (kernel.msgmax)',
  ],
  [
    'a probe of another host',
    { container: { livenessProbe: { httpGet: { port: 80, host: '10.0.0.1' } } } },
    'probe or lifecycle host (container "main" uses probe or lifecycle host "10.0.0.1")',
  ],
] as const) {
  test(`a baseline pod with ${title}`, () => assert.deepEqual(refused(given, 'baseline'), expected));
}

for (const [title, given, expected] of [
  ['all in order', { spec: hard, container: tight }, undefined],
  [
    'nothing said',
    {},
    'allowPrivilegeEscalation != false (container "main" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "main" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "main" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "main" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ],
  [
    'root',
    { spec: { securityContext: { ...hard.securityContext, runAsUser: 0 } }, container: tight },
    'runAsUser=0 (pod must not set runAsUser=0)',
  ],
  [
    'root for one container',
    { spec: hard, container: { securityContext: { ...tight.securityContext, runAsNonRoot: false } } },
    'runAsNonRoot != true (container "main" must not set securityContext.runAsNonRoot=false)',
  ],
  [
    'a capability kept',
    {
      spec: hard,
      container: {
        securityContext: {
          ...tight.securityContext,
          capabilities: { drop: ['NET_RAW'], add: ['NET_BIND_SERVICE', 'KILL'] },
        },
      },
    },
    'unrestricted capabilities (container "main" must set securityContext.capabilities.drop=["ALL"]; container "main" must not include "KILL" in securityContext.capabilities.add)',
  ],
  [
    'a share',
    { spec: { ...hard, volumes: [{ name: 'v', nfs: { server: 's', path: '/' } }] }, container: tight },
    'restricted volume types (volume "v" uses restricted volume type "nfs")',
  ],
  [
    'its own user namespace',
    { spec: { hostUsers: false, securityContext: { seccompProfile: { type: 'RuntimeDefault' } } }, container: tight },
    undefined,
  ],
] as const) {
  test(`a restricted pod with ${title}`, () => assert.deepEqual(refused(given, 'restricted'), expected));
}

test('a standard is evaluated as of its pinned version', () => {
  const labels = (version: string) => ({
    ...namespace({ enforce: 'restricted', 'enforce-version': version }),
    admission,
  });
  const windows = podOf({ spec: { os: { name: 'windows' }, securityContext: { runAsNonRoot: true } } });
  assert.equal(create(windows, labels('latest')).refusal, undefined);
  assert.match(
    create(windows, labels('v1.24')).refusal ?? '',
    /violates PodSecurity "restricted:v1.24": allowPrivilegeEscalation != false/,
  );
  assert.doesNotMatch(create(windows, labels('v1.7')).refusal ?? '', /allowPrivilegeEscalation/);
});

test('a policy that only warns admits pods', () => {
  const { refusal, warnings } = create(podOf({ spec: { hostNetwork: true } }), {
    ...namespace({ warn: 'baseline' }),
    admission,
  });
  assert.equal(refusal, undefined);
  assert.deepEqual(warnings, ['would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)']);
});

test('workload kinds give warnings, for the enforced level too', () => {
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: { app: 'web' } }, template: templateOf({ spec: { hostPID: true } }) },
  };
  const { refusal, warnings } = create(deployment, namespace({ enforce: 'baseline' }));
  assert.equal(refusal, undefined);
  assert.deepEqual(warnings, ['would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)']);
});

test('a pod is checked again if its images change, not if its labels change', () => {
  const options = { ...namespace({ enforce: 'baseline' }), admission };
  const old = create(podOf({ spec: { hostPID: true } })).object;
  assert.equal(
    update(old, ({ metadata }) => Object.assign(metadata, { labels: { a: 'b' } }), options).refusal,
    undefined,
  );
  const image = { ...(old.spec as { containers: object[] }).containers[0], image: 'other' };
  assert.match(
    update(old, ({ spec }) => Object.assign(spec, { containers: [image] }), options).refusal ?? '',
    /violates PodSecurity/,
  );
});

test('annotations are checked for versions without profile fields', () => {
  const labels = { ...namespace({ enforce: 'baseline', 'enforce-version': 'v1.18' }), admission };
  const annotations = { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' };
  assert.equal(
    create(podOf({ metadata: { annotations } }), labels).refusal,
    'pods "web" is forbidden: violates PodSecurity "baseline:v1.18": seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
  );
});
