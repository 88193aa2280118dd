import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeGitUrl, parseGitUrl, sameHost } from './git-url.ts';

test('spellings of one repository have one key', () => {
  for (const url of [
    'https://Git.Example.com/a/b',
    'https://git.example.com/a/b.git',
    'https://git.example.com/a/b.git/',
  ]) {
    assert.equal(parseGitUrl(url).key, 'https://git.example.com/a/b', url);
  }
  assert.equal(parseGitUrl('/srv/a.git').key, parseGitUrl('file:///srv/a').key);
  assert.notEqual(parseGitUrl('http://git.example.com/a').key, parseGitUrl('https://git.example.com/a').key);
  assert.equal(parseGitUrl('https://me@git.example.com/a').key, 'https://git.example.com/a');
  assert.equal(parseGitUrl('git@Example.com:a/B.git').key, parseGitUrl('ssh://git@example.com/a/B').key);
  assert.equal(parseGitUrl('ssh://git@example.com:22/a/B').key, parseGitUrl('git+ssh://git@example.com/a/B.git').key);
  assert.equal(normalizeGitUrl('registry.example.com/Charts/'), 'registry.example.com/charts');
});

test('a path relative to the home directory and an absolute one are different directories of an SSH server', () => {
  assert.notEqual(parseGitUrl('git@example.com:a/b').identity, parseGitUrl('git@example.com:/a/b').identity);
  assert.equal(parseGitUrl('ssh://git@example.com/a/b').identity, parseGitUrl('git@example.com:/a/b.git').identity);
});

test('the URL passed to git keeps its form', () => {
  const forms: [written: string, handed: string, transport: string][] = [
    ['git@example.com:a/b.git', 'git@example.com:a/b.git', 'ssh'],
    ['ssh://git@example.com:2222/a/b', 'ssh://git@example.com:2222/a/b', 'ssh'],
    ['ssh://git@[::1]:2222/a/b', 'ssh://git@[::1]:2222/a/b', 'ssh'],
    ['http://[::1]:8080/a', 'http://[::1]:8080/a', 'http'],
    ['https://me@example.com/a.git', 'https://example.com/a.git', 'http'],
    ['git://example.com/a', 'git://example.com/a', 'git'],
  ];
  for (const [written, handed, transport] of forms) {
    const parsed = parseGitUrl(written);
    assert.deepEqual([parsed.url, parsed.transport], [handed, transport], written);
  }
});

const refused: [url: string, reason: string, message: RegExp][] = [
  ['', 'InvalidUrl', /is empty/],
  ['--upload-pack=touch /tmp/x', 'InvalidUrl', /is not a repository URL/],
  ['-oProxyCommand=x', 'InvalidUrl', /is not a repository URL/],
  ['ext::sh -c touch% /tmp/x', 'InvalidUrl', /is not a repository URL/],
  ['https://example.com/a\n--b', 'InvalidUrl', /is not a repository URL/],
  ['https://example.com/a\u0000b', 'InvalidUrl', /is not a repository URL/],
  ['::sh -c x', 'InvalidUrl', /is not a repository URL/],
  ['relative/path', 'InvalidUrl', /use https:\/\//],
  ['ftp://example.com/a', 'InvalidUrl', /ftp:\/\/ is not a transport/],
  ['ext://example.com/a', 'InvalidUrl', /ext:\/\/ is not a transport/],
  ['file://server/share', 'InvalidUrl', /three slashes/],
  ['https://me:secret@example.com/a', 'InvalidUrl', /may not hold a password/],
  ['https://example.com/a?x=y', 'InvalidUrl', /no query/],
  ['ssh://-oProxyCommand=touch x/a', 'InvalidUrl', /is not a/],
  ['ssh://-oProxyCommand=x/a', 'InvalidUrl', /is not a/],
  ['-oProxyCommand=x@example.com:a', 'InvalidUrl', /is not a repository URL/],
  ['-x@example.com:a', 'InvalidUrl', /is not a repository URL/],
  ['git@-oProxyCommand=x:a', 'InvalidUrl', /is not a repository URL/],
  ['git@example.com:--upload-pack=x', 'InvalidUrl', /is not a repository URL/],
  ['ssh://git@example.com/--upload-pack=x', 'InvalidUrl', /is not a repository URL/],
  ['ssh://git@example.com/%00', 'InvalidUrl', /is not a repository URL/],
  ['ssh://git@exa$(x)mple.com/a', 'InvalidUrl', /is not a/],
];
for (const [url, reason, message] of refused) {
  test(`refused: ${JSON.stringify(url)}`, () => {
    assert.throws(() => parseGitUrl(url), { name: 'SourceError', reason, message });
  });
}

test('a password in a URL is not repeated in the error', () => {
  assert.throws(
    () => parseGitUrl('https://me:secret@example.com/a'),
    (error: Error) => !error.message.includes('secret'),
  );
});

test('hosts are equal only with the same scheme, name and port', () => {
  assert.equal(sameHost('https://h/a', 'https://H/b.git'), true);
  assert.equal(sameHost('git@h:a', 'ssh://git@h/b'), true);
  for (const [a, b] of [
    ['https://h/a', 'http://h/a'],
    ['https://h/a', 'https://h:8443/a'],
    ['https://h/a', 'https://h.evil/a'],
    ['https://h/a', 'git@h:a'],
    ['/srv/a', '/srv/b'],
  ] as const)
    assert.equal(sameHost(a, b), false, `${a} and ${b}`);
});
