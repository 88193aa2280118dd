import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '../../../../test/support/workload-harness.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const nodes = (term: object): readonly string[] =>
  problemsOf({ spec: { affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [term] } } } } });
const pods = (term: object): readonly string[] =>
  problemsOf({ spec: { affinity: { podAntiAffinity: { [required]: [term] } } } });

for (const [title, given, expected] of [
  [
    'an operator without values',
    { matchExpressions: [{ key: 'a', operator: 'In' }] },
    [
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
  ],
  [
    'values for an operator without values',
    { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] },
    [
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ],
  ],
  [
    'two values to be above',
    { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1', '2'] }] },
    [
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
    ],
  ],
  [
    'an unknown operator',
    { matchExpressions: [{ key: 'a', operator: 'Like', values: ['1'] }] },
    [
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator',
    ],
  ],
  [
    'a field other than the name',
    { matchFields: [{ key: 'spec.x', operator: 'In', values: ['1'] }] },
    [
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key: Invalid value: "spec.x": not a valid field selector key',
    ],
  ],
  [
    'two names at once',
    { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a', 'b'] }] },
    [
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    ],
  ],
] as const) {
  test(`node affinity with ${title}`, () => assert.deepEqual(nodes(given), expected));
}

test('a preference needs a weight, a requirement needs a term', () => {
  const nodeAffinity = { [required]: { nodeSelectorTerms: [] }, [preferred]: [{ weight: 0, preference: {} }] };
  assert.deepEqual(problemsOf({ spec: { affinity: { nodeAffinity } } }), [
    `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms: Required value: must have at least one node selector term`,
    `spec.affinity.nodeAffinity.${preferred}[0].weight: Invalid value: 0: must be in the range 1-100`,
  ]);
});

for (const [title, given, expected] of [
  [
    'no topology',
    { labelSelector: { matchLabels: { a: 'b' } } },
    [
      'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty',
      'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": name part must be non-empty',
      "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  [
    'a bad namespace',
    { topologyKey: 'zone', namespaces: ['A.b'] },
    [
      "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespace: Invalid value: \"A.b\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
  ],
  [
    'keys without a selector',
    { topologyKey: 'zone', matchLabelKeys: ['a'] },
    [
      'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
    ],
  ],
  [
    'one key to match and to differ',
    { topologyKey: 'zone', labelSelector: {}, matchLabelKeys: ['a'], mismatchLabelKeys: ['a'] },
    [
      'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys',
    ],
  ],
] as const) {
  test(`pod anti-affinity with ${title}`, () => assert.deepEqual(pods(given), expected));
}

for (const [title, given, expected] of [
  ['everything', { operator: 'Exists' }, []],
  [
    'no key and no operator',
    { value: 'x' },
    [
      'spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
    ],
  ],
  [
    'a value for an operator without values',
    { key: 'a', operator: 'Exists', value: 'x' },
    ['spec.tolerations[0].operator: Invalid value: "x": value must be empty when `operator` is \'Exists\''],
  ],
  [
    'an unknown operator',
    { key: 'a', operator: 'Like', value: 'x' },
    ['spec.tolerations[0].operator: Unsupported value: "Like": supported values: "Equal", "Exists"'],
  ],
  [
    'an unknown effect',
    { key: 'a', effect: 'Maybe' },
    [
      'spec.tolerations[0].effect: Unsupported value: "Maybe": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  ],
  [
    'tolerationSeconds without NoExecute',
    { key: 'a', effect: 'NoSchedule', tolerationSeconds: 5 },
    [
      'spec.tolerations[0].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when `tolerationSeconds` is set',
    ],
  ],
  [
    'a bad value',
    { key: 'a', value: 'a b' },
    [
      "spec.tolerations[0].operator: Invalid value: \"a b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
  ],
] as const) {
  test(`a toleration with ${title}`, () => assert.deepEqual(problemsOf({ spec: { tolerations: [given] } }), expected));
}

for (const [title, given, expected] of [
  [
    'nothing',
    [{}],
    [
      'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
      'spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
      'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"',
    ],
  ],
  [
    'no skew',
    [{ maxSkew: 0, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
    ['spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero'],
  ],
  [
    'an unknown answer',
    [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'Wait' }],
    [
      'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Wait": supported values: "DoNotSchedule", "ScheduleAnyway"',
    ],
  ],
  [
    'the same twice',
    [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
      { maxSkew: 2, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
    ],
    ['spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"'],
  ],
  [
    'domains that need not be met',
    [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', minDomains: 2 }],
    [
      'spec.topologySpreadConstraints[0].minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway',
    ],
  ],
  [
    'an unknown policy for nodes',
    [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', nodeAffinityPolicy: 'Maybe' }],
    [
      'spec.topologySpreadConstraints[0].nodeAffinityPolicy: Unsupported value: "Maybe": supported values: "Honor", "Ignore"',
    ],
  ],
] as const) {
  test(`a topology spread constraint with ${title}`, () =>
    assert.deepEqual(problemsOf({ spec: { topologySpreadConstraints: given } }), expected));
}

for (const [title, given, expected] of [
  [
    'a gate of a bad name',
    { schedulingGates: [{ name: 'a b' }] },
    [
      "spec.schedulingGates[0]: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  [
    'a gate twice',
    { schedulingGates: [{ name: 'a/b' }, { name: 'a/b' }] },
    ['spec.schedulingGates[1]: Duplicate value: "a/b"'],
  ],
  [
    'a node before its gates are open',
    { schedulingGates: [{ name: 'a/b' }], nodeName: 'n' },
    ['spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared'],
  ],
  [
    'readiness by a bad name',
    { readinessGates: [{ conditionType: 'a b' }] },
    [
      "spec.readinessGates[0].conditionType: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  [
    'no deadline',
    { activeDeadlineSeconds: 0 },
    ['spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
  ],
  [
    'an unknown restart policy',
    { restartPolicy: 'Once' },
    ['spec.restartPolicy: Unsupported value: "Once": supported values: "Always", "OnFailure", "Never"'],
  ],
  [
    'an unknown preemption policy',
    { preemptionPolicy: 'Always' },
    ['spec.preemptionPolicy: Unsupported value: "Always": supported values: "PreemptLowerPriority", "Never"'],
  ],
] as const) {
  test(`a pod with ${title}`, () => assert.deepEqual(problemsOf({ spec: given }), expected));
}
