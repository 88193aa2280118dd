import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readClusterSecret } from './cluster-secret.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const pem = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';
const secret = (data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'prod', namespace: 'argocd' },
  data: Object.fromEntries(Object.entries(data).map(([name, text]) => [name, base64(text)])),
});
const server = 'https://prod.example:6443';
const withConfig = (config: object | string) =>
  readClusterSecret(
    secret({ server, name: 'prod', config: typeof config === 'string' ? config : JSON.stringify(config) }),
  );

test('all fields of a cluster Secret are read', () => {
  const config = {
    bearerToken: 't',
    tlsClientConfig: { serverName: 'k', caData: base64(pem) },
    proxyUrl: 'http://proxy:3128',
  };
  const read = readClusterSecret(
    secret({
      server: `${server}/`,
      name: 'prod',
      config: JSON.stringify(config),
      namespaces: 'web, db,web',
      clusterResources: 'true',
      project: 'shop',
      shard: '1',
    }),
  );
  assert.deepEqual(read.config, {
    name: 'prod',
    server,
    namespaces: ['web', 'db'],
    clusterResources: true,
    project: 'shop',
    secret: 'argocd/prod',
    tls: { ca: pem, serverName: 'k' },
    token: 't',
    proxyUrl: 'http://proxy:3128',
  });
});

test('each authentication method is read', () => {
  assert.deepEqual(withConfig({ username: 'u', password: 'p' }).config?.basic, { username: 'u', password: 'p' });
  const tls = { certData: base64(pem), keyData: base64(pem) };
  assert.deepEqual(withConfig({ tlsClientConfig: tls }).config?.certificate, { cert: pem, key: pem });
  assert.deepEqual(withConfig({ tlsClientConfig: { insecure: true } }).config?.tls, { insecure: true });
  const exec = { command: 'aws', args: ['eks'], env: { A: 'b' }, apiVersion: 'client.authentication.k8s.io/v1' };
  assert.deepEqual(withConfig({ execProviderConfig: exec }).config?.exec, {
    command: 'aws',
    args: ['eks'],
    env: [{ name: 'A', value: 'b' }],
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
  });
});

test('the name defaults to the server address', () => {
  assert.equal(readClusterSecret(secret({ server })).name, server);
});

const wrong: [what: string, read: ReturnType<typeof readClusterSecret>, problem: RegExp][] = [
  ['no address', readClusterSecret(secret({ name: 'prod' })), /^Secret argocd\/prod: server is missing: write/],
  [
    'an invalid address',
    readClusterSecret(secret({ server: 'prod.example' })),
    /server 'prod\.example' is not a URL: write https/,
  ],
  ['a config that is no JSON', withConfig('{bearerToken: x}'), /config is not valid JSON: /],
  ['a config that is no object', withConfig('[]'), /config must be a JSON object: write/],
  [
    'PEM that is not encoded',
    withConfig({ tlsClientConfig: { caData: pem } }),
    /config\.tlsClientConfig\.caData is PEM without base64: encode it/,
  ],
  ['something else than PEM', withConfig({ tlsClientConfig: { caData: 'eHh4' } }), /caData is not base64-encoded PEM/],
  [
    'a certificate without key',
    withConfig({ tlsClientConfig: { certData: base64(pem) } }),
    /tlsClientConfig\.keyData is missing/,
  ],
  [
    'both insecure and with a CA',
    withConfig({ tlsClientConfig: { insecure: true, caData: base64(pem) } }),
    /caData has no effect because insecure is true/,
  ],
  ['AWS', withConfig({ awsAuthConfig: { roleARN: 'x' } }), /config\.awsAuthConfig\.clusterName is missing/],
  [
    'an unknown cloud',
    withConfig({ execProviderConfig: { command: 'argocd-k8s-auth', args: ['ibm'] } }),
    /execProviderConfig\.args "ibm" is not one of aws, azure, gcp/,
  ],
  ['no command', withConfig({ execProviderConfig: {} }), /execProviderConfig\.command is missing/],
  [
    'arguments that are no texts',
    withConfig({ execProviderConfig: { command: 'x', args: [1] } }),
    /execProviderConfig\.args must be a list of strings/,
  ],
  ['an invalid proxy', withConfig({ proxyUrl: 'proxy' }), /config\.proxyUrl 'proxy' is not a URL/],
];
for (const [what, read, problem] of wrong) {
  test(`${what}: the message names the Secret, the field and the remedy`, () => {
    assert.match(read.problem ?? '', problem);
    assert.equal(read.config, undefined);
  });
}
