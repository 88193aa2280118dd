/**
 * `node scripts/settings/upstream-keys.ts GIT_DIR VERSION=REVISION…`: reads the settings keys of Argo CD from a clone, at one revision for
 * each version, and prints `packages/api/src/settings/upstream-keys.json`. Only names of keys are taken over.
 */
import { execFileSync } from 'node:child_process';

type Keys = Record<string, Set<string>>;

/** The patterns that documented examples are instances of. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/^accounts\.alice$/u, 'accounts.*'],
  [/^accounts\.alice\.(\w+)$/u, 'accounts.*.$1'],
  [/^help\.download\..+$/u, 'help.download.*'],
  [/^kustomize\.(path|version|buildOptions)\.v.+$/u, 'kustomize.$1.*'],
  [/^kustomize\.(path|version)$/u, 'kustomize.$1.*'],
  [/^help\.download$/u, 'help.download.*'],
  [/^resource\.customizations\.(\w+)\..+$/u, 'resource.customizations.$1.*'],
  [/^policy\.overlay\.csv$/u, 'policy.*.csv'],
];
const patternOf = (key: string): string => {
  const found = patterns.find(([example]) => example.test(key));
  return found ? key.replace(found[0], found[1]) : key;
};

/** Names in the sources that are not keys of a ConfigMap. */
const notKeys = /^(?:argocd-.*|byProject.*|password|normal|strict|crd|all|none|app\.kubernetes\.io.*|help\.download)$/u;
const secretKeys =
  /^(?:tls\.(?:crt|key)|server\.secretkey|admin\.password.*|webhook\.\w+\.(?:secret|uuid|username|password))$/u;

/** Keys that are documented in prose, and not in the annotated examples. */
const inProse: Readonly<Record<string, readonly string[]>> = {
  'argocd-cm': ['resource.customizations.knownTypeFields.x', 'resource.customizations.useOpenLibs.x'],
  'argocd-notifications-cm': [
    'context',
    'defaultTriggers',
    'defaultTriggers.*',
    'service.*',
    'subscriptions',
    'template.*',
    'trigger.*',
  ],
  'argocd-ssh-known-hosts-cm': ['ssh_known_hosts'],
  'argocd-tls-certs-cm': ['*'],
  'argocd-gpg-keys-cm': ['*'],
};

function read(git: string, revision: string): Keys {
  const show = (path: string): string =>
    execFileSync('git', ['--git-dir', git, 'show', `${revision}:${path}`], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const files = (folder: string): string[] =>
    execFileSync('git', ['--git-dir', git, 'ls-tree', '-r', '--name-only', revision, folder], { encoding: 'utf8' })
      .split('\n')
      .filter((path) => path.endsWith('.yaml'));
  const keys: Keys = {};
  const add = (source: string, ...names: string[]): void => {
    keys[source] ??= new Set();
    for (const name of names) keys[source].add(patternOf(name));
  };
  for (const source of ['argocd-cm', 'argocd-cmd-params-cm', 'argocd-rbac-cm', 'argocd-secret']) {
    const data = show(`docs/operator-manual/${source}.yaml`).split(/^data:$/mu)[1] ?? '';
    // `# ui.bannerposition: "bottom"` is a key too; a comment with a space before the colon or without a dot is prose.
    for (const [, key = ''] of data.matchAll(/^ {2}(?:# (?=[\w]+\.[\w.]+: "))?([A-Za-z][\w.-]*):/gmu)) add(source, key);
  }
  for (const path of files('manifests/base')) {
    for (const ref of show(path).matchAll(/KeyRef:\s+(?:name: (\S+)\s+key: (\S+)|key: (\S+)\s+name: (\S+))/gu)) {
      const [source, key] = ref[1] ? [ref[1], ref[2]] : [ref[4], ref[3]];
      if (source && key && (source === 'argocd-cm' || source === 'argocd-cmd-params-cm')) add(source, key);
    }
  }
  const constants = show('util/settings/settings.go');
  const block = constants.slice(
    constants.indexOf('settingServerSignatureKey'),
    constants.indexOf('sourceTypeToEnableGenerationKey'),
  );
  for (const [, key = ''] of block.matchAll(/^\t\w+\s*= "([\w.]+)"$/gmu)) {
    if (!notKeys.test(key)) add(secretKeys.test(key) ? 'argocd-secret' : 'argocd-cm', key);
  }
  const repositories = show('util/db/repository_secrets.go');
  for (const [, key = ''] of repositories.matchAll(/(?:\.Data\[|Or(?:False|Zero)\([^"\n]*)"(\w+)"/gu))
    add('repository', key);
  for (const [source, names] of Object.entries(inProse)) add(source, ...names);
  const cluster = /func SecretToCluster[\s\S]+?\n\}/u.exec(show('util/db/cluster.go'))?.[0] ?? '';
  for (const [, key = ''] of cluster.matchAll(/\.Data\["(\w+)"\]/gu)) add('cluster', key);
  const types = show('pkg/apis/application/v1alpha1/types.go');
  const fields = (type: string): string[] =>
    [
      ...(new RegExp(`type ${type} struct \\{([\\s\\S]+?)\\n\\}`, 'u').exec(types)?.[1] ?? '').matchAll(
        /json:"(\w+)/gu,
      ),
    ].map(([, name = '']) => name);
  for (const field of fields('ClusterConfig')) add('cluster', `config.${field}`);
  return keys;
}

const [git = '', ...versions] = process.argv.slice(2);
const found: Record<string, Record<string, string[]>> = {};
for (const entry of versions) {
  const [version = '', revision = ''] = entry.split('=');
  for (const [source, keys] of Object.entries(read(git, revision)))
    for (const key of [...keys].sort()) ((found[source] ??= {})[key] ??= []).push(version);
}
const sorted = Object.fromEntries(
  Object.entries(found).map(([source, keys]) => [
    source,
    Object.fromEntries(
      Object.entries(keys)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, in_]) => [key, in_.join(' ')]),
    ),
  ]),
);
console.log(JSON.stringify({ versions: versions.map((entry) => entry.split('=')[0]), keys: sorted }, null, 2));
