import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findSetting, type Settings, settingTable } from '@fairlead/api/settings';

const root = new URL('../..', import.meta.url).pathname;
const files = globSync('packages/*/src/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && !file.startsWith('packages/api/src/settings/'),
);
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** The files that read the settings of each ConfigMap and Secret. */
const readers: Readonly<Record<string, RegExp>> = {
  'argocd-cm': /^packages\/(?:server\/src\/(?!rbac\/|grpc\/|fleet\/detail\/)|app-controller\/src\/settings\/)/u,
  'argocd-cmd-params-cm': /^packages\/app-controller\/src\/settings\//u,
  'argocd-rbac-cm': /^packages\/server\/src\/rbac\//u,
  'argocd-notifications-cm': /^packages\/app-controller\/src\/notifications\/config\//u,
  'argocd-ssh-known-hosts-cm': /^packages\/cli\/src\/roles\/trust\.ts$/u,
  'argocd-tls-certs-cm': /^packages\/cli\/src\/roles\/trust\.ts$/u,
  'argocd-gpg-keys-cm': /^packages\/cli\/src\/roles\/known-keys\.ts$/u,
  'argocd-secret':
    /^packages\/(?:server\/src\/(?:accounts|state|tls|session|server)|app-controller\/src\/webhook\/webhook-secrets)/u,
  repository: /^packages\/(?:source\/src\/credentials\/|server\/src\/calls\/repo)/u,
  cluster: /^packages\/app-controller\/src\/cluster\/cluster-secret\.ts$/u,
};

/** Keys that are read by a name which the code composes. */
const composed: Readonly<Record<string, string>> = {
  'application.links': '.links`',
  'project.links': '.links`',
  'resource.links': '.links`',
  'admin.tokens': '.tokens`',
  'accounts.*': "'accounts'",
  'accounts.*.enabled': "'enabled'",
  'accounts.*.password': '.password`',
  'accounts.*.passwordMtime': '.passwordMtime`',
  'accounts.*.tokens': '.tokens`',
  'resource.customizations.health.*': "'health'",
  'resource.customizations.useOpenLibs.*': "'useOpenLibs'",
  'resource.customizations.ignoreDifferences.*': "'ignoreDifferences'",
  'resource.customizations.ignoreResourceUpdates.*': "'ignoreResourceUpdates'",
  'resource.customizations.knownTypeFields.*': "'knownTypeFields'",
  'resource.customizations.actions.*': "'actions'",
  'policy.*.csv': 'policy',
  'service.*': "'service'",
  'template.*': "'template'",
  'trigger.*': "'trigger'",
  'defaultTriggers.*': "'defaultTriggers'",
  '*': '.data',
  // The server reads these as fields of the message that the Secret stores.
  type: 'type',
  enableOCI: 'enableOCI',
};

const isRead = (name: string, key: string): boolean => {
  const written = composed[key] ?? (name === 'cluster' ? key.replace(/^config\./u, '') : key).replace('*', '');
  const literals = key in composed ? [written] : [`'${written}'`, `\`${written}`];
  return [...sources].some(
    ([file, text]) => readers[name]?.test(file) && literals.some((literal) => text.includes(literal)),
  );
};

test('every setting that is honoured is read somewhere', () => {
  const unread = settingTable.flatMap(({ name, settings }) =>
    Object.entries(settings)
      .filter(([key, { status }]) => status !== 'not supported' && !isRead(name, key))
      .map(([key]) => `${name}: ${key}`),
  );
  assert.deepEqual(unread, []);
});

/** How product code reads a key by its name. `SettingsReader` is held to the table by the compiler. */
const reads: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['argocd-cm', /\b(?:settings|settings\(\)|state\.settings)\??\.?\['([^']+)'\]/gu],
  ['argocd-cm', /\.isOn\('([^']+)'/gu],
  ['argocd-rbac-cm', /\bdata\['([^']+)'\]/gu],
  ['argocd-secret', /\b(?:secret|data)\['([\w]+\.[^']+)'\]|\bvalue\('([^']+)'\)/gu],
  ['argocd-ssh-known-hosts-cm', /\?\.\['([^']+)'\]/gu],
  ['repository', /\b(?:text|flag)\('([^']+)'/gu],
  ['cluster', /\btext\('([^']+)'/gu],
];

test('product code reads no setting that the table does not have as honoured', () => {
  const settingsOf = (name: string): Settings => settingTable.find((each) => each.name === name)?.settings ?? {};
  let count = 0;
  const unknown = reads.flatMap(([name, pattern]) =>
    [...sources]
      .filter(([file]) => readers[name]?.test(file))
      .flatMap(([file, text]) =>
        [...text.matchAll(pattern)].flatMap(([, first, second]) => {
          const key = first ?? second ?? '';
          count += 1;
          const status = findSetting(settingsOf(name), key)?.status;
          return status === undefined || status === 'not supported' ? [`${file}: ${name}: ${key}`] : [];
        }),
      ),
  );
  assert.deepEqual(unknown, []);
  assert.ok(count > 70, `only ${count} reads were found: the patterns no longer match the code`);
});

test('every part of the table has readers', () => {
  for (const { name } of settingTable) {
    const pattern = readers[name];
    assert.ok(pattern && files.some((file) => pattern.test(file)), name);
  }
});
