/** Tokens of Google Cloud and Azure for Git repositories, from fake servers that check what they are sent. */
import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { credentialsFor } from '../src/credentials/credentials-for.ts';
import { readRepositorySecret } from '../src/credentials/repository-secret.ts';
import { RepositoryTokens } from '../src/credentials/tokens/repository-tokens.ts';
import { createRepositories } from '../src/git/repositories.ts';
import { HttpSession } from '../src/http/http-session.ts';
import { type GitHttpServer, startGitHttp } from './support/git-http.ts';
import { WorkRepository } from './support/work-repository.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fairlead-cloud-tokens-'));
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const start = Date.parse('2026-11-18T08:00:00Z');
let now = start;
let server: GitHttpServer;
let issued = 0;
let head = '';
/** The accepted `Authorization` of Git, and what a request for a token must be. */
let accepted: (token: string) => string = (token) => `Bearer ${token}`;
let problemOf: (path: string, form: URLSearchParams) => string | undefined = () => 'unexpected';

before(async () => {
  head = new WorkRepository(join(scratch, 'app')).commit({ 'a.yaml': 'one\n' });
  server = await startGitHttp({ root: scratch, intercept });
});
after(async () => {
  await server.close();
  rmSync(scratch, { recursive: true });
});

function intercept(request: IncomingMessage, response: ServerResponse): boolean {
  const path = request.url ?? '';
  if (path.startsWith('/app/')) {
    if (request.headers.authorization === accepted(`token-${issued}`)) return false;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    request.resume();
    return true;
  }
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    const problem = problemOf(`${request.method} ${path}`, new URLSearchParams(body));
    const answer = problem
      ? { error: 'invalid_client', error_description: `wrong ${problem}: ${body}` }
      : { access_token: `token-${++issued}`, expires_in: 3600 };
    response.writeHead(problem ? 401 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  return true;
}

/** Reads the repository with the fields of a Secret, now and after two hours. */
async function read(fields: Record<string, string>, environment = {}, hours = 2): Promise<void> {
  const url = `${server.url}/app/.git`;
  const entry = readRepositorySecret({
    metadata: { name: 'cloud', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repository' } },
    data: Object.fromEntries(
      Object.entries({ url, ...fields }).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
    ),
  });
  assert.ok(entry);
  const clock = { ...systemClock, now: () => now };
  const http = new HttpSession({ clock, environment: {} });
  const permitsWorkloadIdentity = (address: string): boolean => address.startsWith(server.url);
  const repositories = createRepositories({
    cacheDir: mkdtempSync(join(scratch, 'cache-')),
    clock,
    environment: { PATH: process.env['PATH'] },
    pollMs: 600_000,
    allowLocal: false,
    http,
    tokens: new RepositoryTokens({ http, clock, environment, permitsWorkloadIdentity }),
  });
  try {
    const ask = { credentials: credentialsFor(url, [entry]), fresh: true };
    assert.equal(await repositories.resolve(url, 'main', ask), head);
    if (hours === 0) return;
    const before = issued;
    now += hours * 60 * 60_000;
    assert.equal(await repositories.resolve(url, 'main', ask), head);
    assert.equal(issued, before + 1, 'the token is renewed');
  } finally {
    repositories.close();
    await http.close();
  }
}

const refused = (what: Promise<unknown>, message: RegExp, secrets: readonly string[] = []): Promise<void> =>
  assert.rejects(what, (error: Error & { reason?: string }) => {
    assert.equal(error.reason, 'AuthenticationFailed');
    assert.match(error.message, message);
    for (const secret of secrets) assert.ok(!String(error.stack).includes(secret), error.message);
    return true;
  });

test('the key of a Google service account is exchanged for an access token', async () => {
  const email = 'reader@project.iam.gserviceaccount.com';
  const key = (more: object = {}): string =>
    JSON.stringify({
      type: 'service_account',
      client_email: email,
      private_key_id: 'k1',
      private_key: pem,
      token_uri: `${server.url}/token`,
      ...more,
    });
  accepted = (token) => `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`;
  problemOf = (path, form) => {
    const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const [head, body] = [header, claims].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    const content = Buffer.from(`${header}.${claims}`);
    if (!verify('RSA-SHA256', content, createPublicKey(privateKey), Buffer.from(signature, 'base64url')))
      return 'signature';
    assert.equal(path, 'POST /token');
    assert.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer');
    assert.deepEqual(head, { alg: 'RS256', typ: 'JWT', kid: 'k1' });
    assert.deepEqual(body, {
      iss: email,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: `${server.url}/token`,
      iat: now / 1000,
      exp: now / 1000 + 3600,
    });
    return undefined;
  };
  await read({ gcpServiceAccountKey: key() });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const wrong = key({ private_key: other.export({ type: 'pkcs8', format: 'pem' }).toString() });
  await refused(
    read({ gcpServiceAccountKey: wrong }),
    /Google service account of Secret argocd\/cloud: POST .*\/token returned 401: wrong signature/u,
  );
  await refused(read({ gcpServiceAccountKey: '{' }), /of Secret argocd\/cloud: the key .* is not valid JSON$/u);
  await refused(read({ gcpServiceAccountKey: '{"type":"authorized_user"}' }), /only service_account is supported$/u);
});

test('an Azure workload identity is exchanged with the token of the pod', async () => {
  const file = join(scratch, 'federated');
  writeFileSync(file, 'the-assertion\n');
  const environment = {
    AZURE_CLIENT_ID: 'client',
    AZURE_TENANT_ID: 'tenant',
    AZURE_FEDERATED_TOKEN_FILE: file,
    AZURE_AUTHORITY_HOST: `${server.url}/`,
  };
  accepted = (token) => `Bearer ${token}`;
  problemOf = (path, form) => {
    if (form.get('client_assertion') !== 'the-assertion') return 'assertion';
    assert.equal(path, 'POST /tenant/oauth2/v2.0/token');
    assert.deepEqual(Object.fromEntries(form), {
      grant_type: 'client_credentials',
      scope: '499b84ac-1321-427f-aa17-267ca6975798/.default',
      client_id: 'client',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: 'the-assertion',
    });
    return undefined;
  };
  const fields = { useAzureWorkloadIdentity: 'true' };
  await read(fields, environment);
  writeFileSync(file, 'another-assertion');
  await refused(
    read(fields, environment),
    /Azure workload identity of Secret argocd\/cloud: .* returned 401: wrong assertion/u,
    ['another-assertion'],
  );
  await refused(read(fields, {}), /the environment variable AZURE_CLIENT_ID is not set/u);
  await refused(read({ ...fields, insecure: 'true' }, environment), /with verified certificates$/u);
});

test('the workload identity of the process is not sent to other servers than Azure DevOps', async () => {
  const http = new HttpSession({ clock: systemClock, environment: {} });
  const tokens = new RepositoryTokens({ http, clock: systemClock, environment: {} });
  const credentials = { name: 'c', identity: { kind: 'azure-workload-identity' } } as const;
  for (const url of ['https://evil.example/app', 'http://dev.azure.com/app', 'https://dev.azure.com.evil.example/app'])
    await refused(tokens.usable(url, credentials), /is used for https:\/\/dev\.azure\.com and/u);
  for (const url of ['https://dev.azure.com/org/p/_git/app', 'https://org.visualstudio.com/p/_git/app'])
    await refused(tokens.usable(url, credentials), /AZURE_CLIENT_ID is not set/u);
  await http.close();
});

test('the secret of an Azure service principal is exchanged for a token', async () => {
  problemOf = (path, form) => {
    if (form.get('client_secret') !== 's3cret') return 'secret';
    assert.equal(path, 'POST /tenant/oauth2/v2.0/token');
    assert.equal(form.get('client_id'), 'client');
    return undefined;
  };
  const fields = {
    azureServicePrincipalClientID: 'client',
    azureServicePrincipalTenantID: 'tenant',
    azureServicePrincipalClientSecret: 's3cret',
    azureActiveDirectoryEndpoint: server.url,
  };
  await read(fields);
  const wrong = { ...fields, azureServicePrincipalClientSecret: 'wr0ng' };
  await refused(read(wrong), /Azure service principal of Secret argocd\/cloud: .*returned 401: wrong secret/u, [
    'wr0ng',
  ]);
});
