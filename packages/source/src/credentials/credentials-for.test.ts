import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { redact, secretsOf } from './credentials.ts';
import { credentialsFor, type StoredCredentials } from './credentials-for.ts';
import { readRepositorySecret } from './repository-secret.ts';

const template = (url: string, name = url): StoredCredentials => ({
  kind: 'repo-creds',
  url,
  name,
  password: `for ${name}`,
});
const repository = (url: string, more: Partial<StoredCredentials> = {}): StoredCredentials => ({
  kind: 'repository',
  url,
  name: url,
  password: 'own',
  ...more,
});

describe('the longest matching prefix that ends at a path segment wins', () => {
  const known = [
    template('https://git.example.com'),
    template('https://git.example.com/team/'),
    template('https://git.example.com/team/app'),
    template('git@git.example.com:team'),
    template('ssh://git@plain.example.com'),
    template('git@other.example.com'),
    template('oci://registry.example.com/charts'),
    template('localhost:5000/charts'),
  ];
  const cases: [url: string, found: string | undefined][] = [
    ['https://git.example.com/x', 'https://git.example.com'],
    ['https://GIT.example.com/team/other.git', 'https://git.example.com/team/'],
    ['https://git.example.com/team', 'https://git.example.com/team/'],
    ['https://git.example.com/team/app.git', 'https://git.example.com/team/app'],
    ['https://git.example.com/team/app-two', 'https://git.example.com/team/'],
    ['https://git.example.com/team-two/app', 'https://git.example.com'],
    ['https://git.example.com.evil.org/team/app', undefined],
    ['https://git.example.com:8443/team/app', undefined],
    ['http://git.example.com/team/app', undefined],
    ['https://git.example.com@evil.org/team/app', undefined],
    ['git@git.example.com:team/app.git', 'git@git.example.com:team'],
    ['ssh://git@git.example.com/team/app', 'git@git.example.com:team'],
    ['git@git.example.com:team2/app.git', undefined],
    ['ssh://git@plain.example.com/a/b', 'ssh://git@plain.example.com'],
    ['git@other.example.com:a/b', 'git@other.example.com'],
    ['oci://registry.example.com/charts/web', 'oci://registry.example.com/charts'],
    ['registry.example.com/charts', 'oci://registry.example.com/charts'],
    ['registry.example.com/other', undefined],
    ['localhost:5000/charts/web', 'localhost:5000/charts'],
    ['localhost:5000/chartsx', undefined],
  ];
  for (const [url, found] of cases) {
    test(url, () => assert.equal(credentialsFor(url, known)?.name, found));
  }
});

test('the entry of a repository takes precedence over templates, and inherits missing fields from one', () => {
  const url = 'https://git.example.com/a';
  const known = [template('https://git.example.com'), repository(url)];
  assert.equal(credentialsFor(url, known)?.password, 'own');
  const { password: _password, ...bare } = repository(url, { insecure: true });
  const mixed = credentialsFor(url, [template('https://git.example.com', 't'), bare]);
  assert.deepEqual(mixed, { name: `${url}+t`, password: 'for t', insecure: true });
  assert.deepEqual(credentialsFor(url, [bare]), { name: url, insecure: true });
});

test('only entries that the project permits are used', () => {
  const url = 'https://git.example.com/a';
  const known = [
    repository(url, { name: 'mine', project: 'mine' }),
    repository(url, { name: 'theirs', project: 'theirs' }),
    repository(url, { name: 'all' }),
  ];
  const of = (project: string) => (entry: StoredCredentials) =>
    entry.project === undefined || entry.project === project;
  assert.equal(credentialsFor(url, known, of('mine'))?.name, 'mine');
  assert.equal(credentialsFor(url, known, of('theirs'))?.name, 'theirs');
  assert.equal(credentialsFor(url, known, of('third'))?.name, 'all');
  assert.equal(credentialsFor(url, known.slice(0, 2), of('third')), undefined);
});

test('the order of entries does not matter', () => {
  const known = ['https://a.example', 'https://a.example/b', 'https://a.example/b/c'].flatMap((url) => [
    template(url),
    repository(url),
  ]);
  const url = fc.constantFrom(
    'https://a.example/b/c',
    'https://a.example/b/d',
    'https://a.example',
    'https://b.example',
  );
  fc.assert(
    fc.property(fc.shuffledSubarray(known, { minLength: known.length }), url, (shuffled, at) => {
      assert.deepEqual(credentialsFor(at, shuffled), credentialsFor(at, known));
    }),
  );
});

test('a Secret in the format of Argo CD is read', () => {
  const data = Object.fromEntries(
    Object.entries({
      url: 'https://git.example.com/a',
      type: 'git',
      project: 'p',
      username: 'me',
      password: 'x y\n',
      insecure: 'true',
      tlsClientCertData: 'C',
      tlsClientCertKey: 'K',
      forceHttpBasicAuth: 'true',
    }).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  );
  const metadata = { name: 's', namespace: 'n', labels: { 'argocd.argoproj.io/secret-type': 'repository' } };
  assert.deepEqual(readRepositorySecret({ metadata, data }), {
    kind: 'repository',
    url: 'https://git.example.com/a',
    name: 'n/s',
    secret: 'n/s',
    project: 'p',
    username: 'me',
    password: 'x y',
    insecure: true,
    insecureIgnoreHostKey: true,
    forceBasicAuth: true,
    clientCertificate: { cert: 'C', key: 'K' },
  });
  assert.equal(readRepositorySecret({ metadata: { name: 's' }, data }), undefined);
});

test('secrets are redacted from text', () => {
  const credentials = {
    name: 'c',
    username: 'me',
    password: 'p@ss word',
    bearerToken: 'tok',
    proxy: 'http://u:pr%20oxy@proxy',
  };
  const text = `https://me:hidden@h/x p@ss word p%40ss%20word tok ${Buffer.from('me:p@ss word').toString('base64')} pr oxy pr%20oxy`;
  const safe = redact(text, secretsOf(credentials));
  for (const secret of ['hidden', 'p@ss', 'p%40ss', 'tok', 'oxy', 'bWU6']) assert.ok(!safe.includes(secret), safe);
  assert.equal(redact('ssh://git@host/a', []), 'ssh://git@host/a');
});
