import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { finder, splitName } from './words/find.ts';
import { prose, typescript } from './words/segments.ts';
import { parseTerms } from './words/terms.ts';

const glossary = (...rows: string[]): string =>
  [
    '# Glossary',
    'anew is fine up here',
    '## Replaced terms',
    '| avoid | use | where | except |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');

/** Source text with `#{` for `${`, so that it is not mistaken for a template. */
const placeholders = (source: string): string => source.replaceAll('#{', '$' + '{');

/** Findings as `line: found → use`. */
function found(rows: string[], file: string, ...lines: string[]): string[] {
  return finder(parseTerms(glossary(...rows)))(file, lines.join('\n')).map(
    ({ line, found, term }) => `${line}: ${found} → ${term.use}`,
  );
}

test('a term is found in comments, strings, templates and names of TypeScript', () => {
  const source = [
    '/** Reads it anew. */',
    "const text = 'anew';",
    placeholders('const template = `#{a} anew #{`anew #{b}`} x`;'),
    'const readAnew = 1; // and anew',
    'const pattern = /anew/;',
  ];
  assert.deepEqual(found(['| anew | again | | |'], 'a.ts', ...source), [
    '1: anew → again',
    '2: anew → again',
    '3: anew → again',
    '3: anew → again',
    '4: readAnew → again',
    '4: anew → again',
  ]);
});

test('a phrase is found across the lines of a comment and of a document, not across two strings', () => {
  const rows = ['| is too much | exceeds the limit | text | |'];
  assert.deepEqual(found(rows, 'a.ts', '/**', ' * It is', ' * too much.', ' */'), [
    '2: is too much → exceeds the limit',
  ]);
  assert.deepEqual(found(rows, 'a.ts', '// It is too', '// much.'), ['1: is too much → exceeds the limit']);
  assert.deepEqual(found(rows, 'a.md', 'It is', 'too much.'), ['1: is too much → exceeds the limit']);
  assert.deepEqual(found(rows, 'a.ts', "['It is',", "'too much']"), []);
});

test('words match as a whole and case-insensitively', () => {
  const rows = ['| fare, fares | status | text | |'];
  assert.deepEqual(found(rows, 'a.md', 'Welfare, fared, FARES.'), ['1: FARES → status']);
});

test('the scope decides whether names, type names or text count', () => {
  const source = ['class World {}', 'const world = new World(); // hello world'];
  assert.deepEqual(found(['| world | env | types | |'], 'a.ts', ...source), ['1: World → env', '2: World → env']);
  assert.deepEqual(found(['| world | env | text | |'], 'a.ts', ...source), ['2: world → env']);
  assert.equal(found(['| world | env | names | |'], 'a.ts', ...source).length, 3);
});

test('file names are names', () => {
  assert.deepEqual(found(['| fresh looks | refreshes | names | |'], 'src/fresh-looks.test.ts', ''), [
    '1: fresh-looks → refreshes',
  ]);
});

test('a regular expression may contain escaped pipes', () => {
  assert.deepEqual(found(['| `/\\b(a\\|b) look\\b/` | check | text | |'], 'a.md', 'a look, c look'), [
    '1: a look → check',
  ]);
});

test('a term is allowed in an excepted file', () => {
  const rows = ['| anew | again | anywhere | vendor/**, *.txt |'];
  assert.deepEqual(found(rows, 'vendor/deep/a.ts', '// anew'), []);
  assert.equal(found(rows, 'src/a.ts', '// anew').length, 1);
});

test('the table of the glossary is not checked against itself', () => {
  const rows = ['| anew | again | | |'];
  assert.deepEqual(finder(parseTerms(glossary(...rows)))('docs/glossary.md', glossary(...rows)).length, 1);
});

test('an invalid row is an error with its line', () => {
  assert.throws(() => parseTerms(glossary('| anew | |')), /docs\/glossary\.md:6: a row needs/);
  assert.throws(() => parseTerms(glossary('| anew | again | here |')), /unknown scope "here"/);
  assert.throws(() => parseTerms('# Glossary'), /no heading/);
});

test('names are split at capitals, hyphens and dots', () => {
  assert.equal(splitName('parseHTTPBody2Text'), 'parse http body2 text');
  assert.equal(splitName('src/a/fresh-looks.test.ts'), 'fresh looks');
});

test('regular expressions, divisions and templates are distinguished', () => {
  const text = (source: string): string => typescript(source).text.replaceAll('\u0001', '').trim();
  assert.equal(text("const a = b / c; // d / 'e'"), "d / 'e'");
  assert.equal(text("x.replace(/'/g, '\"'); // f"), '"    f');
  assert.equal(text(placeholders('`a#{{ b: `c#{d}` }}e` // g')), 'a  c e    g');
  assert.equal(typescript(placeholders("/* it's */ name 'x' `y#{z}`")).text.length, 27);
});

test('offsets of text equal those of the source', () => {
  const source = placeholders("/** one */\nconst two = `three #{'four'} five`; // six\n");
  const { text } = typescript(source);
  assert.equal(text.length, source.length);
  for (const word of ['one', 'three', 'four', 'five', 'six']) assert.equal(text.indexOf(word), source.indexOf(word));
});

test('camel case in prose counts as a name', () => {
  assert.deepEqual(
    prose('the `freshLooks` of it').names.map(({ name }) => name),
    ['freshLooks'],
  );
});

test('docs/glossary.md can be read', () => {
  const terms = parseTerms(readFileSync(new URL('../docs/glossary.md', import.meta.url), 'utf8'));
  assert.ok(terms.length > 50);
});
