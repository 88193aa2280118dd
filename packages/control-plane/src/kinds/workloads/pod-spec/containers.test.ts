import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, podOf, problemsOf } from '../../../../test/support/workload-harness.ts';

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const port = 'must be between 1 and 65535, inclusive';
const at = 'spec.containers[0]';

for (const [title, container, expected] of [
  ['no image', { image: '' }, [`${at}.image: Required value`]],
  [
    'blanks around the image',
    { image: ' nginx' },
    [`${at}.image: Invalid value: " nginx": must not have leading or trailing whitespace`],
  ],
  ['no name', { name: '' }, [`${at}.name: Required value`]],
  ['a bad name', { name: 'Main' }, [`${at}.name: Invalid value: "Main": ${label}`]],
  [
    'an unknown pull policy',
    { imagePullPolicy: 'Sometimes' },
    [`${at}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`],
  ],
  [
    'an unknown message policy',
    { terminationMessagePolicy: 'Shout' },
    [`${at}.terminationMessagePolicy: Unsupported value: "Shout": supported values: "File", "FallbackToLogsOnError"`],
  ],
  ['port 0', { ports: [{ containerPort: 0 }] }, [`${at}.ports[0].containerPort: Required value`]],
  [
    'port 70000',
    { ports: [{ containerPort: 70000 }] },
    [`${at}.ports[0].containerPort: Invalid value: 70000: ${port}`],
  ],
  [
    'an invalid host port',
    { ports: [{ containerPort: 80, hostPort: 70000 }] },
    [`${at}.ports[0].hostPort: Invalid value: 70000: ${port}`],
  ],
  [
    'an unknown protocol',
    { ports: [{ containerPort: 80, protocol: 'tcp' }] },
    [`${at}.ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"`],
  ],
  [
    'two ports of one name',
    {
      ports: [
        { containerPort: 80, name: 'web' },
        { containerPort: 81, name: 'web' },
      ],
    },
    [`${at}.ports[1].name: Duplicate value: "web"`],
  ],
  [
    'a long port name',
    { ports: [{ containerPort: 80, name: 'a-name-of-many-letters' }] },
    [`${at}.ports[0].name: Invalid value: "a-name-of-many-letters": must be no more than 15 characters`],
  ],
  [
    'a duplicate host port',
    {
      ports: [
        { containerPort: 80, hostPort: 80 },
        { containerPort: 81, hostPort: 80 },
      ],
    },
    [`${at}.ports[1].hostPort: Duplicate value: "TCP//80"`],
  ],
  [
    'a resize policy for a resource that cannot',
    { resizePolicy: [{ resourceName: 'disk', restartPolicy: 'NotRequired' }] },
    [`${at}.resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"`],
  ],
  [
    'rules for restarts without a policy',
    { restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }] },
    [`${at}.restartPolicy: Required value: must specify restartPolicy when restart rules are used`],
  ],
] as const) {
  test(`a container with ${title}`, () => assert.deepEqual(problemsOf({ container }), expected));
}

test('restart rules are not validated without a restartPolicy', () => {
  const init = { name: 'init', image: 'a', restartPolicyRules: [{ action: 'Jump' }] };
  assert.deepEqual(problemsOf({ spec: { initContainers: [init] } }), [
    'spec.initContainers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used',
  ]);
});

test('a pod needs a container, and container names are unique', () => {
  assert.deepEqual(problemsOf({ spec: { containers: [] } }), ['spec.containers: Required value']);
  const twice = [
    { name: 'a', image: 'a' },
    { name: 'a', image: 'b' },
  ];
  assert.deepEqual(problemsOf({ spec: { containers: twice } }), ['spec.containers[1].name: Duplicate value: "a"']);
  assert.deepEqual(problemsOf({ spec: { initContainers: [{ name: 'main', image: 'a' }] } }), [
    'spec.initContainers[0].name: Duplicate value: "main"',
  ]);
});

test('init containers have no probes and lifecycle hooks, except sidecars', () => {
  const init = {
    name: 'init',
    image: 'a',
    livenessProbe: { exec: { command: ['x'] } },
    lifecycle: { preStop: { exec: { command: ['x'] } } },
  };
  assert.deepEqual(problemsOf({ spec: { initContainers: [init] } }), [
    'spec.initContainers[0].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always',
    'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
  ]);
  assert.deepEqual(problemsOf({ spec: { initContainers: [{ ...init, restartPolicy: 'Always' }] } }), []);
});

test('ephemeral containers are added later, through a separate subresource', () => {
  const ephemeralContainers = [{ name: 'debug', image: 'a' }];
  assert.deepEqual(problemsOf({ spec: { ephemeralContainers } }), [
    'spec.ephemeralContainers: Forbidden: cannot be set on create',
  ]);
});

test('a privileged container needs a server that allows it', () => {
  assert.deepEqual(problemsOf({ container: { securityContext: { privileged: true } } }), [
    `${at}.securityContext.privileged: Forbidden: disallowed by cluster policy`,
  ]);
});

test('a static pod names its node, and has no resource claims', () => {
  const metadata = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
  const { problems } = create(podOf({ metadata, spec: { resourceClaims: [{ name: 'a', resourceClaimName: 'b' }] } }));
  assert.deepEqual(problems, [
    'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
    ': Forbidden: static pods do not support resource claims',
  ]);
});
