import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeGitUrl, parseGitUrl } from './git-url.ts';

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
  assert.equal(normalizeGitUrl('git@example.com:a/B.git'), 'git@example.com:a/b');
});

const refused: [url: string, reason: string, message: RegExp][] = [
  ['', 'InvalidUrl', /is empty/],
  ['--upload-pack=touch /tmp/x', 'InvalidUrl', /is not a repository URL/],
  ['-oProxyCommand=x', 'InvalidUrl', /is not a repository URL/],
  ['ext::sh -c touch% /tmp/x', 'InvalidUrl', /is not a repository URL/],
  ['https://example.com/a\n--b', 'InvalidUrl', /is not a repository URL/],
  ['relative/path', 'InvalidUrl', /use https:\/\//],
  ['git://example.com/a', 'InvalidUrl', /git:\/\/ is not a transport/],
  ['ftp://example.com/a', 'InvalidUrl', /ftp:\/\/ is not a transport/],
  ['file://server/share', 'InvalidUrl', /three slashes/],
  ['https://me:secret@example.com/a', 'InvalidUrl', /may not hold a user name or password/],
  ['https://example.com/a?x=y', 'InvalidUrl', /no query/],
  ['git@example.com:a/b.git', 'NotSupported', /SSH/],
  ['ssh://git@example.com/a', 'NotSupported', /SSH/],
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
