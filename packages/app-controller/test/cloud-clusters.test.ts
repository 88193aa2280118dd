/** Tokens of clouds for cluster Secrets: fake servers of AWS, Google, Azure and Kubernetes check what they are sent. */
import assert from 'node:assert/strict';
import { createHash, createHmac, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { silentLogger, systemClock } from '@fairlead/kube';
import { listen } from '@fairlead/source/testing';
import { connectTo } from '../src/cluster/cluster-connection.ts';
import { readClusterSecret } from '../src/cluster/cluster-secret.ts';

const dir = mkdtempSync(join(tmpdir(), 'fairlead-clouds-'));
let now = Date.parse('2026-11-18T08:00:00Z');
let server: Awaited<ReturnType<typeof listen>>;
/** The requests to the clouds, without their secrets. */
let calls: string[] = [];
/** Why a request is refused: the fields of the body, and the headers, must be as expected. */
let cloud: (path: string, form: URLSearchParams, request: IncomingMessage) => string | { refusal: string };
let isAccepted: (token: string) => boolean;

before(async () => {
  server = await listen((request, response) => {
    const path = request.url ?? '';
    if (path === '/version') {
      const token = (request.headers.authorization ?? '').replace('Bearer ', '');
      const [status, body] = isAccepted(token)
        ? [200, { gitVersion: 'v1.34.0' }]
        : [401, { kind: 'Status', code: 401 }];
      return void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const answer = cloud(`${request.method} ${path}`, new URLSearchParams(body || path.split('?')[1]), request);
      const refused = typeof answer !== 'string';
      response.writeHead(refused ? 403 : 200).end(refused ? answer.refusal : answer);
    });
  });
});
beforeEach(() => {
  calls = [];
});
after(async () => {
  await server.close();
  rmSync(dir, { recursive: true });
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function connection(config: object, environment: Record<string, string>) {
  const data = { server: base64(server.url), name: base64('c'), config: base64(JSON.stringify(config)) };
  const metadata = { name: 'prod', namespace: 'argocd' };
  const read = readClusterSecret({ apiVersion: 'v1', kind: 'Secret', metadata, data });
  assert.ok(read.config, read.problem);
  return connectTo(read.config, { environment, clock: { ...systemClock, now: () => now }, log: silentLogger });
}

async function version(config: object, environment: Record<string, string>): Promise<string> {
  const opened = connection(config, environment);
  try {
    return await opened.version();
  } finally {
    await opened.close();
  }
}

const exec = (args: string[], env: Record<string, string> = {}) => ({
  execProviderConfig: { command: 'argocd-k8s-auth', args, env, apiVersion: 'client.authentication.k8s.io/v1beta1' },
});

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const signingKey = (secret: string, ...scope: string[]): Buffer =>
  scope.reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`));

/** As EKS and AWS check a token: the signature of the URL, with the name of the cluster as a header. */
function isEksToken(token: string, cluster: string, keys: { id: string; secret: string; session?: string }): boolean {
  const url = new URL(Buffer.from(token.replace(/^k8s-aws-v1\./u, ''), 'base64url').toString());
  const { searchParams: query } = url;
  const signature = query.get('X-Amz-Signature');
  const signed = url.search.slice(1).replace(/&X-Amz-Signature=.*$/u, '');
  assert.deepEqual(signed.split('&'), signed.split('&').toSorted());
  const [id, ...scope] = (query.get('X-Amz-Credential') ?? '').split('/');
  const headers = `host:${url.host}\nx-k8s-aws-id:${cluster}\n`;
  const canonical = ['GET', '/', signed, headers, 'host;x-k8s-aws-id', sha256('')].join('\n');
  const text = ['AWS4-HMAC-SHA256', query.get('X-Amz-Date'), scope.join('/'), sha256(canonical)].join('\n');
  return (
    query.get('Action') === 'GetCallerIdentity' &&
    query.get('X-Amz-Date') === new Date(now).toISOString().replaceAll(/[-:]|\.\d+/gu, '') &&
    Number(query.get('X-Amz-Expires')) <= 900 &&
    query.get('X-Amz-Security-Token') === (keys.session ?? null) &&
    id === keys.id &&
    signature === hmac(signingKey(keys.secret, ...scope), text).toString('hex')
  );
}

const session = (id: string): string =>
  `<AccessKeyId>${id}</AccessKeyId><SecretAccessKey>secret-${id}</SecretAccessKey><SessionToken>session/${id}+=</SessionToken>`;
const keysOf = (id: string) => ({ id, secret: `secret-${id}`, session: `session/${id}+=` });

test('the signing key is that of the example in the documentation of AWS', () => {
  const key = signingKey('wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', '20150830', 'us-east-1', 'iam', 'aws4_request');
  assert.equal(key.toString('hex'), 'c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9');
});

test('EKS: a token is signed with keys of the environment, for the cluster, and renewed', async () => {
  const environment = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'own', AWS_REGION: 'eu-west-1' };
  const tokens = new Set<string>();
  isAccepted = (token) => {
    if (!tokens.has(token) && isEksToken(token, 'shop', { id: 'AKID', secret: 'own' })) tokens.add(token);
    return tokens.has(token);
  };
  const opened = connection({ awsAuthConfig: { clusterName: 'shop' } }, environment);
  assert.equal(await opened.version(), 'v1.34.0');
  now += 8 * 60_000;
  assert.equal(await opened.version(), 'v1.34.0');
  assert.equal(tokens.size, 1, 'the token is cached');
  now += 2 * 60_000;
  assert.equal(await opened.version(), 'v1.34.0');
  assert.equal(tokens.size, 2, 'a new token, signed now');
  await opened.close();
  const [token = ''] = tokens;
  const url = Buffer.from(token.slice('k8s-aws-v1.'.length), 'base64url').toString();
  assert.match(url, /^https:\/\/sts\.eu-west-1\.amazonaws\.com\/\?Action=GetCallerIdentity&Version=2011-06-15&X-Amz-/u);
});

test('EKS: the web identity of the pod, and a role that is assumed with it', async () => {
  const file = join(dir, 'web-identity');
  writeFileSync(file, 'pod-token\n');
  const environment = {
    AWS_WEB_IDENTITY_TOKEN_FILE: file,
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/pod',
    AWS_REGION: 'eu-west-1',
    AWS_ENDPOINT_URL_STS: server.url,
  };
  cloud = (path, form, request) => {
    calls.push(`${path.split(' ')[0]} ${form.get('Action')} ${form.get('RoleArn')}`);
    if (form.get('Action') === 'AssumeRoleWithWebIdentity')
      return form.get('WebIdentityToken') === 'pod-token'
        ? session('POD')
        : { refusal: '<Code>InvalidIdentityToken</Code><Message>no</Message>' };
    assert.match(String(request.headers.authorization), /Credential=POD\/\d{8}\/eu-west-1\/sts\/aws4_request/u);
    assert.equal(request.headers['x-amz-security-token'], 'session/POD+=');
    return session('ROLE');
  };
  isAccepted = (token) => isEksToken(token, 'shop', keysOf('POD'));
  assert.equal(await version({ awsAuthConfig: { clusterName: 'shop' } }, environment), 'v1.34.0');
  isAccepted = (token) => isEksToken(token, 'shop', keysOf('ROLE'));
  const role = 'arn:aws:iam::2:role/deployer';
  assert.equal(await version({ awsAuthConfig: { clusterName: 'shop', roleARN: role } }, environment), 'v1.34.0');
  const { AWS_REGION: region, ...rest } = environment;
  const args = ['aws', '--cluster-name', 'shop', `--role-arn=${role}`];
  assert.equal(await version(exec(args, { AWS_REGION: region }), rest), 'v1.34.0', 'as an entry of argocd-k8s-auth');
  const [web, assume] = [`GET AssumeRoleWithWebIdentity ${environment.AWS_ROLE_ARN}`, `POST AssumeRole ${role}`];
  assert.deepEqual(calls, [web, web, assume, web, assume]);
  writeFileSync(file, 'wrong');
  await assert.rejects(
    version({ awsAuthConfig: { clusterName: 'shop' } }, environment),
    /Secret argocd\/prod: no EKS token: AWS STS: InvalidIdentityToken: no/u,
  );
  await assert.rejects(
    version({ awsAuthConfig: { clusterName: 'shop' } }, {}),
    /Secret argocd\/prod: .*no AWS credentials/u,
  );
});

test('EKS: a profile of the shared file', async () => {
  const file = join(dir, 'credentials');
  writeFileSync(
    file,
    '[default]\naws_access_key_id = OTHER\n[prod]\naws_access_key_id = PROF\naws_secret_access_key=s=1\n',
  );
  const environment = {
    AWS_SHARED_CREDENTIALS_FILE: file,
    AWS_CONFIG_FILE: join(dir, 'absent'),
    AWS_ACCESS_KEY_ID: 'X',
  };
  isAccepted = (token) => isEksToken(token, 'shop', { id: 'PROF', secret: 's=1' });
  assert.equal(await version({ awsAuthConfig: { clusterName: 'shop', profile: 'prod' } }, environment), 'v1.34.0');
  const missing = version({ awsAuthConfig: { clusterName: 'shop', profile: 'none' } }, environment);
  await assert.rejects(missing, /Secret argocd\/prod: no EKS token: the AWS profile none has neither/u);
});

test('GKE: a token of the metadata server, or of the key of a service account', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  isAccepted = (token) => token === 'google';
  cloud = (path, form, request) => {
    calls.push(path.replace(/\?.*$/u, ''));
    if (path.startsWith('GET')) {
      assert.equal(request.headers['metadata-flavor'], 'Google');
    } else {
      const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
      const content = Buffer.from(`${header}.${claims}`);
      const valid = verify('RSA-SHA256', content, createPublicKey(privateKey), Buffer.from(signature, 'base64url'));
      if (!valid) return { refusal: '{"error":"invalid_grant","error_description":"Invalid JWT Signature."}' };
      const { scope } = JSON.parse(Buffer.from(claims, 'base64url').toString());
      assert.match(scope, /auth\/cloud-platform .*auth\/userinfo\.email$/u);
    }
    return '{"access_token":"google","expires_in":3599}';
  };
  assert.equal(await version(exec(['gcp']), { GCE_METADATA_HOST: new URL(server.url).host }), 'v1.34.0');
  const file = join(dir, 'key.json');
  const store = (key: typeof privateKey): void =>
    writeFileSync(
      file,
      JSON.stringify({
        type: 'service_account',
        client_email: 'a@b',
        private_key: key.export({ type: 'pkcs8', format: 'pem' }),
        token_uri: `${server.url}/token`,
      }),
    );
  store(privateKey);
  assert.equal(await version(exec(['gcp']), { GOOGLE_APPLICATION_CREDENTIALS: file }), 'v1.34.0');
  assert.deepEqual(calls, ['GET /computeMetadata/v1/instance/service-accounts/default/token', 'POST /token']);
  store(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
  await assert.rejects(
    version(exec(['gcp']), { GOOGLE_APPLICATION_CREDENTIALS: file }),
    /Secret argocd\/prod: no GKE token: POST .*\/token returned 403: Invalid JWT Signature\./u,
  );
});

test('AKS: a token for the workload identity, or for a service principal', async () => {
  const file = join(dir, 'federated');
  writeFileSync(file, 'pod-assertion');
  const environment = {
    AZURE_CLIENT_ID: 'client',
    AZURE_TENANT_ID: 'tenant',
    AZURE_FEDERATED_TOKEN_FILE: file,
    AZURE_AUTHORITY_HOST: server.url,
  };
  isAccepted = (token) => token === 'azure';
  cloud = (path, form) => {
    calls.push(`${path} ${form.get('client_id')}`);
    assert.equal(form.get('scope'), '6dae42f8-4368-4678-94ff-3960e28e3630/.default');
    const accepted = form.get('client_assertion') === 'pod-assertion' || form.get('client_secret') === 's3cret';
    return accepted ? '{"access_token":"azure","expires_in":3599}' : { refusal: '{"error":"invalid_client"}' };
  };
  assert.equal(await version(exec(['azure']), environment), 'v1.34.0');
  const principal = {
    AAD_LOGIN_METHOD: 'spn',
    AAD_SERVICE_PRINCIPAL_CLIENT_ID: 'spn',
    AAD_SERVICE_PRINCIPAL_CLIENT_SECRET: 's3cret',
  };
  assert.equal(await version(exec(['azure'], principal), environment), 'v1.34.0');
  assert.deepEqual(calls, ['POST /tenant/oauth2/v2.0/token client', 'POST /tenant/oauth2/v2.0/token spn']);
  const wrong = exec(['azure'], { ...principal, AAD_SERVICE_PRINCIPAL_CLIENT_SECRET: 'wr0ng' });
  await assert.rejects(
    version(wrong, environment),
    /Secret argocd\/prod: no AKS token: POST .* returned 403: invalid_client/u,
  );
  const device = exec(['azure'], { AAD_LOGIN_METHOD: 'devicecode' });
  await assert.rejects(version(device, environment), /AAD_LOGIN_METHOD "devicecode" is not one of/u);
});
