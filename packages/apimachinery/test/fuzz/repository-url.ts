/** An address parses to parts or has a problem, which contains no password; permissions treat all its spellings equally. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText, mutated, wordsOf } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget } from '../../../../scripts/fuzz/target.ts';
import { permissionPattern, permissionText } from '../../src/urls/permission-pattern.ts';
import { repositoryLocation } from '../../src/urls/repository-location.ts';
import { formatRepositoryUrl, parseRepositoryUrl } from '../../src/urls/repository-url.ts';

const words =
  'https:// http:// ssh:// git:// oci:// file:/// git@ h github.com 127.0.0.1 [::1] 0x7f.1 : :22 :443 / // @ % %2f %2e %zz ? # .. . .git \\ * user:secret@ ü xn-- \t'.split(
    ' ',
  );
const seeds = [
  'https://GitHub.com:443/Team/shop.git',
  'git@github.com:team/shop.git',
  'ssh://git@host:2222/~/a%20b.git/',
  'oci://registry.example.com:5000/charts/a',
  'registry.example.com/charts',
  'file:///srv/a%20b',
  '/srv/git/a.git',
  'http://127.0.0.1:18099?.corp.com/x',
];

export const target = fuzzTarget({
  inputs: fc.oneof(
    { arbitrary: mutated(seeds, words), weight: 3 },
    { arbitrary: wordsOf(words, 8), weight: 3 },
    anyText,
  ),
  check(text: string) {
    permissionPattern(text);
    const { url, problem } = parseRepositoryUrl(text);
    assert.equal(url === undefined, problem !== undefined);
    if (!url) {
      assert.ok(!/:secret@/u.test(problem ?? '') && (problem ?? '').length < 10_000, problem);
      return;
    }
    const shown = permissionText(url);
    assert.equal(shown, shown.toLowerCase(), 'patterns are compared in lower case');
    assert.ok(url.scheme === 'file' || url.host !== '', 'a server has a name');
    repositoryLocation(url);
    // `host:path` of SSH and local paths have no URL that always names the same directory.
    if (!url.schemeWritten && url.scheme !== 'oci') return;
    const again = parseRepositoryUrl(formatRepositoryUrl(url)).url;
    assert.ok(again, `${formatRepositoryUrl(url)} is not read again`);
    assert.equal(again.host, url.host);
    assert.equal(again.port, url.port);
    assert.equal(permissionText({ ...again, user: url.user, schemeWritten: url.schemeWritten }), shown);
  },
});
