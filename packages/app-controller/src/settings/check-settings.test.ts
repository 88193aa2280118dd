import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingTable } from '@fairlead/api/settings';
import { checkSettings, type SettingObject } from './check-settings.ts';
import { isDefault, valueProblem } from './setting-values.ts';

const configMap = (name: string, data: Record<string, string>): SettingObject => ({
  kind: 'ConfigMap',
  name,
  labels: {},
  data,
});
const secret = (type: string, data: Record<string, string>): SettingObject => ({
  kind: 'Secret',
  name: 'x',
  labels: { 'argocd.argoproj.io/secret-type': type },
  data,
});
const found = (object: SettingObject): string[] =>
  checkSettings(object).map(({ kind, key, message }) => `${kind} ${key}: ${message}`);

test('an unknown key is reported with the key that it probably means', () => {
  assert.deepEqual(found(configMap('argocd-cm', { urll: 'x', 'foo.bar.baz': 'x' })), [
    'unknown urll: is not a setting: did you mean url?',
    'unknown foo.bar.baz: is not a setting',
  ]);
});

test('a key that is not supported is reported with the reason, unless its value is the default', () => {
  const data = { 'server.insecure': 'true', 'server.disable.auth': 'False', 'controller.k8s.tcp.timeout': '0m30s' };
  assert.deepEqual(found(configMap('argocd-cmd-params-cm', data)), [
    'not supported server.insecure: use the flag `--insecure` of `fairlead server`',
  ]);
});

test('a value of the wrong type is reported', () => {
  const data = {
    'timeout.reconciliation': 'soon',
    'helm.enable': 'maybe',
    'resource.exclusions': '- {',
    'application.resourceTrackingMethod': 'name',
    'server.maxPodLogsToRender': 'ten',
  };
  assert.deepEqual(
    checkSettings(configMap('argocd-cm', data)).map(({ kind, key }) => [kind, key]),
    Object.keys(data).map((key) => ['invalid', key]),
  );
});

test('a key with another meaning is reported, but does not count as a problem', () => {
  const repository = (enableOCI: string) => secret('repository', { url: 'https://x', enableOCI });
  const [first] = checkSettings(repository('true'));
  assert.equal(first?.kind, 'different');
  assert.deepEqual(found(repository('false')), []);
});

test('argocd-secret may have any other key, except for a misspelt one', () => {
  const data = { 'oidc.okta.clientSecret': 'x', 'webhook.github.secre': 'x' };
  assert.deepEqual(found(configMap('argocd-secret', data)), []);
  assert.deepEqual(found({ kind: 'Secret', name: 'argocd-secret', labels: {}, data }), [
    'unknown webhook.github.secre: is not a setting: did you mean webhook.github.secret?',
  ]);
});

test('fields of the JSON in a cluster Secret are checked, and no value of a Secret is printed', () => {
  const config = JSON.stringify({ bearerToken: 'hidden', disableCompression: true, tlsClientConfi: {} });
  const findings = found(
    secret('cluster', { server: 'https://x', config, shard: 'hidden', clusterResources: 'hidden' }),
  );
  assert.deepEqual(
    findings.map((line) => line.split(':')[0]),
    [
      'invalid shard',
      'invalid clusterResources',
      'not supported config.disableCompression',
      'unknown config.tlsClientConfi',
    ],
  );
  assert.ok(!findings.join().includes('hidden'));
});

test('repository and repo-creds Secrets share their keys', () => {
  for (const type of ['repository', 'repo-creds'])
    assert.match(found(secret(type, { url: 'https://x', enableLfs: 'true' })).join(), /^different enableLfs/u);
  assert.deepEqual(found(secret('scm-creds', { anything: 'x' })), []);
});

test('the default of every setting is a valid value of its type', () => {
  for (const { name, settings } of settingTable) {
    for (const [key, setting] of Object.entries(settings)) {
      assert.equal(valueProblem(setting, setting.default), undefined, `${name}: ${key}`);
      assert.ok(isDefault(setting, setting.default), `${name}: ${key}`);
    }
  }
});
