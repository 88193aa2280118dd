import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, podOf } from '../trial.ts';

for (const [title, given, expected] of [
  ['nothing odd', {}, []],
  [
    'a node label of old',
    { spec: { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } } },
    ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
  ],
  [
    'an annotation that does nothing any more',
    { metadata: { annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '' } } },
    [
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
    ],
  ],
  [
    'a repository for a volume',
    { spec: { volumes: [{ name: 'v', gitRepo: { repository: 'x' } }] } },
    ['spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+'],
  ],
  [
    'two files at one path',
    {
      spec: {
        volumes: [
          {
            name: 'v',
            secret: {
              secretName: 's',
              items: [
                { key: 'a', path: 'x' },
                { key: 'b', path: 'x/y' },
              ],
            },
          },
        ],
      },
    },
    ['volume "v" (Secret "s"): overlapping paths: "x/y" with "x"'],
  ],
  [
    'nothing to project',
    { spec: { volumes: [{ name: 'v', projected: { sources: [{}] } }] } },
    ['volume "v" (Projected) has no sources provided'],
  ],
  [
    'the same alias twice',
    {
      spec: {
        hostAliases: [
          { ip: '1.1.1.1', hostnames: ['a'] },
          { ip: '1.1.1.1', hostnames: ['b'] },
        ],
      },
    },
    ['spec.hostAliases[1].ip: duplicate ip "1.1.1.1"'],
  ],
  [
    'a pull secret without a name',
    { spec: { imagePullSecrets: [{ name: '' }, { name: 'a' }, { name: 'a' }] } },
    ['spec.imagePullSecrets[2].name: duplicate name "a"', 'spec.imagePullSecrets[0].name: invalid empty name ""'],
  ],
  [
    'a part of a byte',
    { container: { resources: { requests: { memory: '1500m' } } } },
    ['spec.containers[0].resources.requests[memory]: fractional byte value "1500m" is invalid, must be an integer'],
  ],
  [
    'a variable that hides another',
    {
      container: {
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
      },
    },
    ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
  ],
  [
    'a port twice',
    { container: { ports: [{ containerPort: 80 }, { containerPort: 80 }] } },
    ['spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]'],
  ],
  [
    'an address with zeros',
    { spec: { dnsConfig: { nameservers: ['010.0.0.1'] } } },
    ['spec.dnsConfig.nameservers[0]: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"'],
  ],
  [
    'spreading of nothing',
    { spec: { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }] } },
    ['spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod'],
  ],
  [
    'a profile by annotation',
    { metadata: { annotations: { 'container.apparmor.security.beta.kubernetes.io/main': 'unconfined' } } },
    [
      'metadata.annotations[container.apparmor.security.beta.kubernetes.io/main]: deprecated since v1.30; use the "appArmorProfile" field instead',
    ],
  ],
] as const) {
  test(`a pod with ${title}`, () => assert.deepEqual(create(podOf(given)).warnings, expected));
}
