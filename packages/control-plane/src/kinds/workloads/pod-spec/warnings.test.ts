import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, podOf } from '../../../../test/support/workload-harness.ts';

for (const [title, given, expected] of [
  ['nothing odd', {}, []],
  [
    'a node label of old',
    { spec: { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } } },
    ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
  ],
  [
    'an annotation without effect',
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
    'a spread constraint without a selector',
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

for (const [title, given, expected] of [
  ['two protocols', [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }], []],
  [
    'two ports of the host',
    [
      { containerPort: 80, hostPort: 80 },
      { containerPort: 80, hostPort: 81 },
    ],
    [],
  ],
  [
    'one port of the host',
    [{ containerPort: 80, hostPort: 80 }, { containerPort: 80 }],
    ['spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]'],
  ],
  [
    'one address of the host',
    [
      { containerPort: 80, hostPort: 80, hostIP: '10.0.0.1' },
      { containerPort: 80, hostPort: 80 },
    ],
    ['spec.containers[0].ports[1]: dangerously ambiguous port definition with spec.containers[0].ports[0]'],
  ],
  [
    'two addresses of the host',
    [
      { containerPort: 80, hostPort: 80, hostIP: '10.0.0.1' },
      { containerPort: 80, hostPort: 80, hostIP: '10.0.0.2' },
    ],
    [],
  ],
  [
    'an address without a port',
    [{ containerPort: 80, hostIP: '10.0.0.1' }],
    [
      'spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}',
    ],
  ],
] as const) {
  test(`a port for ${title}`, () =>
    assert.deepEqual(create(podOf({ container: { ports: given } })).warnings, expected));
}

test('a port name is unique within a pod', () => {
  const containers = ['a', 'b'].map((name, index) => ({
    name,
    image: 'x',
    ports: [{ name: 'web', containerPort: 80 + index }],
  }));
  assert.deepEqual(create(podOf({ spec: { containers } })).warnings, [
    'spec.containers[1].ports[0]: duplicate port name "web" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
  ]);
});

test('a name that is not a host name gives a warning', () => {
  assert.deepEqual(create(podOf({ metadata: { name: 'a.b' } })).warnings, [
    "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
  ]);
});
