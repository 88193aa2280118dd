import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { listAt, objectAt, stringsAt } from '@fairlead/apimachinery';
import { closestKey, findSetting } from './find-setting.ts';
import { type SettingSource, settingTable } from './table.ts';

/** The keys of Argo CD, with the versions that have each; written by `scripts/settings/upstream-keys.ts`. */
const upstream: unknown = JSON.parse(readFileSync(new URL('upstream-keys.json', import.meta.url), 'utf8'));
const upstreamKeys = (source: string): Record<string, string> => stringsAt(upstream, 'keys', source);

const sourceNamed = (name: string): SettingSource => {
  const source = settingTable.find((each) => each.name === name);
  assert.ok(source, name);
  return source;
};

test('every key of every version of Argo CD is in the table with a status', () => {
  const sources = Object.keys(objectAt(upstream, 'keys') ?? {});
  assert.deepEqual(sources.toSorted(), settingTable.map(({ name }) => name).toSorted());
  const missing = sources.flatMap((name) =>
    Object.entries(upstreamKeys(name))
      .filter(([key]) => sourceNamed(name).settings[key]?.status === undefined)
      .map(([key, versions]) => `${name}: ${key} (Argo CD ${versions})`),
  );
  assert.deepEqual(missing, []);
});

test('the list of upstream keys covers the versions that Fairlead follows', () => {
  const versions = listAt(upstream, 'versions');
  assert.deepEqual(versions, ['3.4', '3.5', '3.6']);
  const counts = settingTable.map(({ name }) => Object.keys(upstreamKeys(name)).length);
  assert.ok(
    counts.reduce((sum, count) => sum + count) > 340,
    `only ${counts.join(' + ')} keys: the extraction is incomplete`,
  );
});

test('a key that Argo CD does not have is marked as one of Fairlead', () => {
  const unmarked = settingTable.flatMap(({ name, settings }) =>
    Object.entries(settings)
      .filter(([key, { own }]) => (own === true) === key in upstreamKeys(name))
      .map(([key]) => `${name}: ${key}`),
  );
  assert.deepEqual(unmarked, []);
});

test('a row says what the key does, or why it does nothing, and who reads it', () => {
  for (const { name, settings } of settingTable) {
    for (const [key, { status, about, note, roles, type, choices }] of Object.entries(settings)) {
      const row = `${name}: ${key}`;
      assert.equal(about !== '', status !== 'not supported', row);
      assert.equal(note !== '', status !== 'honoured', row);
      assert.ok(roles.length > 0, row);
      assert.equal(choices !== undefined, type === 'enum', row);
    }
  }
});

test('the longest pattern that matches a key is its setting', () => {
  const { settings } = sourceNamed('argocd-cm');
  assert.equal(findSetting(settings, 'accounts.alice'), settings['accounts.*']);
  assert.equal(findSetting(settings, 'accounts.alice.enabled'), settings['accounts.*.enabled']);
  assert.equal(findSetting(settings, 'kustomize.buildOptions'), settings['kustomize.buildOptions']);
  assert.equal(findSetting(settings, 'resource.customizations.health.'), undefined);
  const rbac = sourceNamed('argocd-rbac-cm').settings;
  assert.equal(findSetting(rbac, 'policy.team.csv'), rbac['policy.*.csv']);
  assert.equal(findSetting(rbac, 'policy.csv'), rbac['policy.csv']);
});

test('the closest key of a misspelt one keeps the part that is free', () => {
  const { settings } = sourceNamed('argocd-cm');
  assert.equal(closestKey(settings, 'timeout.reconcilation'), 'timeout.reconciliation');
  assert.equal(closestKey(settings, 'URL'), 'url');
  assert.equal(
    closestKey(settings, 'resource.customization.health.example.org_Workload'),
    'resource.customizations.health.example.org_Workload',
  );
  assert.equal(closestKey(settings, 'something.else.entirely'), undefined);
});
