import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissionPattern, permissionText } from './permission-pattern.ts';
import { repositoryLocation } from './repository-location.ts';
import { formatRepositoryUrl, parseRepositoryUrl } from './repository-url.ts';

const parts: [text: string, scheme: string, user: string, host: string, port: number | undefined, path: string][] = [
  ['https://GitHub.com/Team/shop.git', 'https', '', 'github.com', undefined, '/Team/shop.git'],
  ['https://me@github.com:443/a%20b', 'https', 'me', 'github.com', undefined, '/a b'],
  ['http://127.0.0.1:18099?.corp.com/x', 'http', '', '127.0.0.1', 18099, '/'],
  ['http://0x7f.1:80/x', 'http', '', '127.0.0.1', undefined, '/x'],
  ['https://github.com./x', 'https', '', 'github.com', undefined, '/x'],
  ['git@Example.com:a/B.git', 'ssh', 'git', 'example.com', undefined, 'a/B.git'],
  ['example.com:a/b', 'ssh', '', 'example.com', undefined, 'a/b'],
  ['ssh://git@[::1]:2222/a', 'ssh', 'git', '[::1]', 2222, '/a'],
  ['git+ssh://git@h:22/a', 'ssh', 'git', 'h', undefined, '/a'],
  ['/srv/a.git', 'file', '', '', undefined, '/srv/a.git'],
  ['file:///srv/a%20b', 'file', '', '', undefined, '/srv/a b'],
  ['oci://registry.example.com:5000/charts', 'oci', '', 'registry.example.com', 5000, '/charts'],
  ['registry.example.com/charts', 'oci', '', 'registry.example.com', undefined, '/charts'],
  ['localhost:5000/charts', 'oci', '', 'localhost', 5000, '/charts'],
  ['https://h/api/projects/a%2Fb/raw?ref=x', 'https', '', 'h', undefined, '/api/projects/a/b/raw'],
];
for (const [text, scheme, user, host, port, path] of parts) {
  test(`${text} is parsed into its parts`, () => {
    const { url } = parseRepositoryUrl(text);
    assert.deepEqual([url?.scheme, url?.user, url?.host, url?.port, url?.path], [scheme, user, host, port, path]);
  });
}

const refused = [
  'http://host/%zz',
  'http://host/a%2f..%2fb',
  'https://host/a%5c..%5cb',
  'git@host:../a',
  'https://me:secret@host/a',
  'https://me:very@secret@ho st/a',
  'me@ you:secret@host',
  'https://ho st/a',
  'https://host/a#b',
  'http://[::1/a',
  'word',
  '',
];
for (const text of refused) {
  test(`${JSON.stringify(text)} is refused with a reason that contains no password`, () => {
    const { problem = '' } = parseRepositoryUrl(text);
    assert.notEqual(problem, '');
    assert.ok(!problem.includes('secret'));
  });
}

test('any text is parsed or refused, and never throws', () => {
  const pieces = [
    'https://',
    'git@',
    'h',
    ':',
    '/',
    '%',
    '%zz',
    '?',
    '#',
    '@',
    '[',
    ']',
    '\\',
    '\u0000',
    '..',
    '*',
    '::',
  ];
  let seed = 7;
  for (let i = 0; i < 20_000; i++) {
    let text = '';
    for (let length = 0; length < 6; length++) {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      text += pieces[seed % pieces.length];
    }
    const parsed = parseRepositoryUrl(text);
    assert.equal(parsed.url === undefined, parsed.problem !== undefined, text);
    permissionPattern(text);
    if (parsed.url) for (const use of [permissionText, repositoryLocation, formatRepositoryUrl]) use(parsed.url);
  }
});

const texts: [text: string, expected: string][] = [
  ['https://Me@GitHub.com/Evil/X.git/', 'https://github.com/evil/x'],
  ['https://github.com//evil///x', 'https://github.com/evil/x'],
  ['git@github.com:evil/x', 'git@github.com/evil/x'],
  ['ssh://git@github.com:22/evil/x.git', 'git@github.com/evil/x'],
  ['http://127.0.0.1:18099', 'http://127.0.0.1:18099'],
  ['/srv/a', 'file:///srv/a'],
  ['oci://r.example.com/c', 'oci://r.example.com/c'],
  ['r.example.com/c', 'r.example.com/c'],
];
for (const [text, expected] of texts) {
  test(`${text} is compared as ${expected}, and so is the pattern`, () => {
    const { url } = parseRepositoryUrl(text);
    assert.equal(url && permissionText(url), expected);
    assert.equal(permissionPattern(text), expected);
  });
}

test('a query is not compared', () => {
  const { url } = parseRepositoryUrl('http://127.0.0.1:18099?.corp.com/x');
  assert.equal(url && permissionText(url), 'http://127.0.0.1:18099');
});

const patterns: [pattern: string, expected: string][] = [
  ['git@github.com:Evil/*', 'git@github.com/evil/*'],
  ['ssh://git@github.com:22/evil/*', 'git@github.com/evil/*'],
  ['*@github.com:evil/*', '*@github.com/evil/*'],
  ['https://me@host:443/*.git', 'https://host/*'],
  ['http://*.corp.com/*', 'http://*.corp.com/*'],
  ['/srv/*', 'file:///srv/*'],
  ['*', '*'],
  ['**', '**'],
  ['registry:5000/*', 'registry:5000/*'],
  ['*://host/**', '*://host/**'],
];
for (const [pattern, expected] of patterns) {
  test(`the pattern ${pattern} is ${expected}`, () => assert.equal(permissionPattern(pattern), expected));
}
