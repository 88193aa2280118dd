import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatSelector } from '@fairlead/apimachinery';
import { defaultFilter } from '@fairlead/engine';
import { defaultInstallation } from './installation.ts';
import { readInstallation } from './read-installation.ts';

test('without settings all values are the defaults of Argo CD', () => {
  const { diff, ...rest } = readInstallation();
  const { diff: expected, ...others } = defaultInstallation;
  assert.deepEqual(rest, others);
  assert.deepEqual(diff, expected);
});

test('tracking, intervals, filters and comparisons are read', () => {
  const read = readInstallation({
    'application.resourceTrackingMethod': 'annotation+label',
    'application.instanceLabelKey': 'example.org/app',
    installationID: 'mine',
    'timeout.reconciliation': '3m',
    'timeout.reconciliation.jitter': '10s',
    'timeout.hard.reconciliation': '0s',
    'resource.exclusions': '- apiGroups: ["*.x"]\n  kinds: [A]\n  clusters: ["https://*"]\n',
    'resource.inclusions': '- kinds: [B]\n',
    'resource.respectRBAC': 'strict',
    'resource.compareoptions': 'ignoreResourceStatusField: off\n',
    'resource.sensitive.mask.annotations': 'a, b',
    'resource.customLabels': 'team,tier',
    'cluster.inClusterEnabled': 'false',
  });
  assert.deepEqual(read.problems, []);
  assert.deepEqual(read.tracking, { method: 'annotation+label', labelKey: 'example.org/app', installationId: 'mine' });
  assert.equal(read.diff.tracking, read.tracking);
  assert.deepEqual(read.refresh, { softMs: 180_000, jitterMs: 10_000 });
  assert.deepEqual(read.filter, {
    exclusions: [{ apiGroups: ['*.x'], kinds: ['A'], clusters: ['https://*'] }],
    inclusions: [{ apiGroups: [], kinds: ['B'], clusters: [] }],
  });
  assert.equal(read.respectRbac, true);
  assert.equal(read.diff.ignoreStatus, 'none');
  assert.deepEqual(read.maskedAnnotations, ['a', 'b']);
  assert.deepEqual(read.shownLabels, ['team', 'tier']);
  assert.equal(read.inCluster, false);
});

test('customizations with a key per field and kind are read', () => {
  const read = readInstallation({
    'resource.customizations.health.example.org_Thing': 'return {}',
    'resource.customizations.useOpenLibs.example.org_Thing': 'true',
    'resource.customizations.health.ConfigMap': 'return {1}',
    'resource.customizations.ignoreDifferences.apps_Deployment':
      'jsonPointers: [/spec/replicas]\njqPathExpressions: [".a"]\nmanagedFieldsManagers: [hpa]\n',
    'resource.customizations.ignoreDifferences.all': 'jsonPointers: [/x]\n',
    'resource.customizations.ignoreResourceUpdates.all': 'jsonPointers: [/status]\n',
    'resource.customizations.knownTypeFields.example.org_Thing': '- field: spec.cpu\n  type: core/Quantity\n',
    'resource.customizations.actions.example.org_Thing': 'discovery.lua: ""',
  });
  assert.deepEqual(read.problems, []);
  assert.deepEqual(
    read.healthScripts.map(({ kinds, openLibs, name }) => [kinds, openLibs, name]),
    [
      ['ConfigMap', false, 'resource.customizations.health.ConfigMap'],
      ['example.org/Thing', true, 'resource.customizations.health.example.org_Thing'],
    ],
  );
  assert.deepEqual(read.diff.ignore, [
    { group: '*', kind: '*', jsonPointers: ['/x'], jqPathExpressions: [], managedFieldsManagers: [] },
    {
      group: 'apps',
      kind: 'Deployment',
      jsonPointers: ['/spec/replicas'],
      jqPathExpressions: ['.a'],
      managedFieldsManagers: ['hpa'],
    },
  ]);
  assert.deepEqual(read.ignoreUpdates[0]?.jsonPointers, ['/status']);
  assert.equal(read.ignoreUpdates.length, 3, 'ignored fields do not refresh');
  assert.deepEqual(read.diff.knownTypeFields.get('example.org/Thing'), [{ field: 'spec.cpu', type: 'core/Quantity' }]);
  assert.ok(read.diff.knownTypeFields.has('argoproj.io/Rollout'));
});

test('customizations in one key are read, with globs of kinds last', () => {
  const read = readInstallation({
    'resource.customizations': `
"*.example.org/*":
  health.lua: return {status = "Healthy"}
ConfigMap:
  health.lua: return {status = "Degraded"}
  health.lua.useOpenLibs: true
  ignoreDifferences: |
    jsonPointers: [/data]
`,
  });
  assert.deepEqual(read.problems, []);
  assert.deepEqual(
    read.healthScripts.map(({ kinds }) => kinds),
    ['ConfigMap', '*.example.org/*'],
  );
  assert.deepEqual(read.diff.ignore[0]?.jsonPointers, ['/data']);
});

test('ignoreResourceUpdates can be disabled', () => {
  const data = { 'resource.customizations.ignoreResourceUpdates.all': 'jsonPointers: [/status]\n' };
  assert.equal(readInstallation(data).ignoreUpdates.length, 1);
  assert.deepEqual(readInstallation({ ...data, 'resource.ignoreResourceUpdatesEnabled': 'false' }).ignoreUpdates, []);
});

test('command parameters are read', () => {
  const read = readInstallation(
    {},
    {
      'controller.diff.server.side': 'true',
      'controller.ignore.normalizer.jq.timeout': '5s',
      'controller.repo.server.timeout.seconds': '90',
    },
  );
  assert.equal(read.diff.serverSide, true);
  assert.equal(read.jqTimeMs, 5_000);
  assert.equal(read.renderTimeMs, 90_000);
});

const wrong: [key: string, text: string, problem: RegExp][] = [
  [
    'application.resourceTrackingMethod',
    'labels',
    /^ConfigMap argocd-cm: application\.resourceTrackingMethod: 'labels' must be one of annotation, label, annotation\+label$/,
  ],
  ['timeout.reconciliation', 'soon', /'soon' is not a duration: write 180s/],
  ['resource.exclusions', '{', /resource\.exclusions: is not valid YAML/],
  ['resource.exclusions', 'kinds: [A]', /must be a list of entries with apiGroups/],
  ['resource.exclusions', '- kinds: A', /kinds must be a list of strings/],
  ['resource.compareoptions', 'ignoreResourceStatusField: some', /'some' must be one of all, crd, none/],
  ['resource.customizations.health.a_b_c', 'x', /must end with group_Kind/],
  ['resource.customizations.helth.a_B', 'x', /'helth' must be one of health/],
  ['resource.customizations.ignoreDifferences.a_B', '- x', /must be a map with jsonPointers/],
  ['resource.customizations.ignoreDifferences.a_B', 'jsonPointers: x', /jsonPointers must be a list of strings/],
  [
    'resource.customizations.knownTypeFields.a_B',
    '- field: x\n  type: core/v1/Nonsense\n',
    /the type 'core\/v1\/Nonsense' of x is unknown/,
  ],
  ['resource.customizations', 'A: 5', /A must be a map/],
];
for (const [key, text, problem] of wrong) {
  test(`${key}: ${text} is reported, and the other keys apply`, () => {
    const read = readInstallation({ [key]: text, installationID: 'mine' });
    assert.match(read.problems.join('\n'), problem);
    assert.equal(read.tracking.installationId, 'mine');
    if (key === 'resource.exclusions' && !text.startsWith('-'))
      assert.equal(read.filter.exclusions, defaultFilter.exclusions);
  });
}

test('the sync timeout and the delay after a wave are read', () => {
  const read = (parameters: Record<string, string>) => readInstallation({}, parameters);
  const times = { 'controller.sync.timeout.seconds': '3600', 'controller.sync.wave.delay.seconds': '0' };
  assert.deepEqual(read(times).sync, { timeoutMs: 3_600_000, waveDelayMs: 0 });
  const wrong = read({ 'controller.sync.timeout.seconds': '1h' });
  assert.deepEqual(wrong.sync, {});
  assert.deepEqual(wrong.problems, [
    "ConfigMap argocd-cmd-params-cm: controller.sync.timeout.seconds: '1h' is not a number of seconds: write 3600",
  ]);
});

test('namespaces of Applications are globs or expressions, and invalid ones are reported', () => {
  const read = readInstallation({}, { 'application.namespaces': 'team-*, /^squad-[0-9]+$/, [x,/(/' });
  assert.deepEqual(read.applicationNamespaces, ['team-*', '/^squad-[0-9]+$/']);
  assert.equal(read.problems.length, 2);
  assert.match(
    read.problems[0]!,
    /argocd-cmd-params-cm: application\.namespaces: \[x: glob .* without its \]: the (?:pattern|entry) is ignored/,
  );
  assert.deepEqual(readInstallation().applicationNamespaces, [], 'the control plane’s own alone');
});

test('an invalid pattern of an exclusion or a customization is reported and ignored; the others apply', () => {
  const read = readInstallation({
    'resource.exclusions': '- {apiGroups: ["[", "x.example"], kinds: ["*"]}',
    'resource.customizations': '"[/Kind":\n  health.lua: return {}\n',
  });
  assert.deepEqual(read.filter.exclusions[0]?.apiGroups, ['x.example']);
  assert.deepEqual(read.healthScripts, []);
  assert.equal(
    read.problems.filter((problem) => /without its \]: the (?:pattern|entry) is ignored/.test(problem)).length,
    2,
  );
});

for (const [key, value, expected] of [
  ['resource.customizations', 'a: [b', true],
  ['resource.customizations', '- a', true],
  ['resource.customizations.ignoreDifferences.apps_Deployment', 'a: [b', true],
  ['resource.exclusions', 'kinds: [Secret]', true],
  ['resource.inclusions', '{', true],
  ['resource.exclusions', '- kinds: 5', false],
  ['timeout.reconciliation', 'soon', false],
] as const) {
  test(`${key} as ${value} ${expected ? 'prevents' : 'does not prevent'} comparisons`, () => {
    const { problems, comparisonProblem } = readInstallation({ [key]: value });
    assert.equal(problems.length, 1);
    assert.equal(comparisonProblem, expected ? problems[0] : undefined);
  });
}

test('global projects are read with their selectors; invalid entries are reported', () => {
  const read = (text: string) => readInstallation({ globalProjects: text });
  assert.deepEqual(
    read(
      '- projectName: rules\n  labelSelector:\n    matchExpressions:\n    - {key: tier, operator: In, values: [a]}\n',
    ).globalProjects.map(({ projectName, selector }) => [projectName, formatSelector(selector)]),
    [['rules', 'tier in (a)']],
  );
  const wrong: [string, RegExp][] = [
    ['a: b', /globalProjects: must be a list/],
    ['- labelSelector: {}', /has no projectName/],
    [
      '- {projectName: x, labelSelector: {matchExpressions: [{key: a, operator: Like}]}}',
      /of x: .* is invalid: it needs a key/,
    ],
    [
      '- {projectName: x, labelSelector: {matchExpressions: [{key: a, operator: In}]}}',
      /of x: .* is invalid: it needs a key/,
    ],
    ['- {projectName: x, labelSelector: {matchLabels: [a]}}', /matchLabels must be a map/],
  ];
  for (const [text, problem] of wrong) {
    assert.deepEqual(read(text).globalProjects, [], text);
    assert.match(read(text).problems.join(), problem);
  }
});

test('Kustomize options and its registered versions are read', () => {
  const { render } = readInstallation({
    'kustomize.buildOptions': ' --enable-helm ',
    'kustomize.path.v5.1.0': '/k5',
    'kustomize.version.v4.5.7': '/k4',
    'helm.enable': 'false',
    'kustomize.enable': 'true',
    'jsonnet.enable': 'false',
    'helm.valuesFileSchemes': 'https, ',
  });
  assert.deepEqual(render, {
    kustomizeBuildOptions: '--enable-helm',
    kustomizeVersions: ['v5.1.0', 'v4.5.7'],
    disabledTypes: ['Helm', 'Jsonnet'],
    valuesFileSchemes: ['https'],
  });
});
