import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const root = new URL('..', import.meta.url).pathname;
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md', 'packages/*/README.md'], { cwd: root });
const records = globSync('docs/adr/[0-9]*.md', { cwd: root }).sort();

/** GitHub's anchor of a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchors = (page: string): Set<string> =>
  new Set([...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchor(heading)));

test('links between pages refer to files and headings that exist', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(
      ([link, path = '', heading]) => {
        if (page === 'docs/adr/template.md') return [];
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(root, target))) return [`${page}: ${link}`];
        return heading === undefined || anchors(read(target)).has(heading) ? [] : [`${page}: ${link}`];
      },
    ),
  );
  assert.deepEqual(broken, []);
});

test('decision records are numbered in order, and have context, decision and consequences', () => {
  records.forEach((file, index) => {
    const number = String(index + 1).padStart(4, '0');
    assert.equal(file.slice('docs/adr/'.length).slice(0, 4), number);
    const text = read(file);
    assert.match(text, new RegExp(`^# ${number}: `), file);
    assert.match(text, /^Status: /m, file);
    assert.deepEqual(
      [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title),
      ['Context', 'Decision', 'Consequences'],
      file,
    );
  });
});

test('the index of decision records has number, title and status of each', () => {
  const rows = [...read('docs/adr/README.md').matchAll(/^\| \[(\d{4})\]\((.+?)\) \| (.+?) \| (.+?) \|/gm)];
  assert.deepEqual(
    rows.map(([, number, file, title, status]) => [number, `docs/adr/${file}`, title, status]),
    records.map((file) => {
      const text = read(file);
      return [
        file.slice('docs/adr/'.length).slice(0, 4),
        file,
        /^# \d{4}: (.*)$/m.exec(text)?.[1],
        /^Status: (.*)$/m.exec(text)?.[1],
      ];
    }),
  );
});

test('every type that the glossary names is declared in a package', () => {
  const [terms = ''] = read('docs/glossary.md').split('## Replaced terms');
  const named = [...terms.matchAll(/\| `(\w+)` \|$/gm)].map(([, name = '']) => name);
  assert.ok(named.length > 30);
  const sources = globSync('packages/*/src/**/*.ts', { cwd: root }).map(read);
  const declared = new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm)].map(([, name]) => name),
    ),
  );
  assert.deepEqual(
    named.filter((name) => !declared.has(name)),
    [],
  );
});
