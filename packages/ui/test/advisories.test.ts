/** Published advisories of Argo CD about its web application: docs/security/advisories.md lists them with these tests. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { localPath } from '../app/lib/local-path.ts';
import { safeUrl } from '../app/lib/safe-url.ts';

const app = new URL('../app', import.meta.url).pathname;
const sources = globSync('**/*.{ts,tsx}', { cwd: app }).map((path) => ({
  path,
  text: readFileSync(join(app, path), 'utf8'),
}));

const links = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://example.com/x',
];

for (const id of ['GHSA-h4w9-6x78-8vrj', 'GHSA-jwv5-8mqv-g387', 'GHSA-h98r-wv3h-fr38']) {
  test(`${id}: a link that a tenant writes is a web address or no link`, () => {
    for (const link of links) assert.equal(safeUrl(link), undefined, link);
  });
}

test('GHSA-2hj5-g64g-fp6p: the address of a repository is a link only if it is a web address', () => {
  for (const link of [...links, 'git@github.com:a/b', 'ssh://git@host/x', 'file:///etc/passwd', 'x"onclick="alert(1)'])
    assert.equal(safeUrl(link), undefined, link);
  assert.equal(safeUrl('https://git.example.com/a'), 'https://git.example.com/a');
});

test('every address in a page is constant, checked by safeUrl, or of this server', () => {
  const computed = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:href|src|formAction|srcDoc)=\{([^}]*)/gu)].map(([, value = '']) => ({
      path,
      value,
      text,
    })),
  );
  assert.ok(computed.length >= 3, 'the pattern finds the links of the pages');
  const unchecked = computed.filter(
    ({ value, text }) =>
      !new RegExp(`const ${RegExp.escape(value)} = safeUrl\\(`, 'u').test(text) &&
      !value.startsWith('`${settings.ssoPath'),
  );
  assert.deepEqual(
    unchecked.map(({ path, value }) => `${path}: ${value}`),
    [],
  );
});

test('GHSA-xmg8-99r8-jc2j: the sign-in page shows no text of its address, and returns only to this server', () => {
  const page = sources.find(({ path }) => path === join('shell', 'sign-in.tsx'))?.text ?? '';
  const uses = page.split('\n').filter((line) => /\bexpired\b|\bto\b/u.test(line));
  assert.deepEqual(
    uses.map((line) => line.trim()),
    [
      'const { to, expired } = route.useSearch();',
      'const target = localPath(to);',
      '{expired && <p className="note">{t.signIn.expired}</p>}',
    ],
    'the parameters are used for a path and for a constant text',
  );
  for (const to of ['https://evil.example.com', '//evil.example.com', '/\\evil.example.com', 'javascript:alert(1)', ''])
    assert.equal(localPath(to), '/', to);
  assert.equal(localPath('/applications?x=1'), '/applications?x=1');
});

test('GHSA-pmjg-52h9-72qv: no page inserts markup', () => {
  const inserting = sources.filter(({ text }) =>
    /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(/u.test(
      text,
    ),
  );
  assert.deepEqual(
    inserting.map(({ path }) => path),
    [],
  );
});
