import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readYaml } from '@fairlead/render/go-yaml';
import fc from 'fast-check';
import { getValue, setValue, writeValues } from './values-file.ts';

test('only the value changes: quotes, comments, blank lines and order are kept', () => {
  const before = `# head\nimage:   # of the app\n    repository: "ghcr.io/acme/web"   # where\n\n    tag: 'v1' # now\n\n\n# tail\nlist: [ a,  b ]\n`;
  assert.equal(setValue(before, 'image.tag', 'v2'), before.replace("'v1'", "'v2'"));
  assert.equal(setValue(before, 'image.repository', 'x'), before.replace('"ghcr.io/acme/web"', '"x"'));
});

test('adding one value keeps the comments of the others', () => {
  const before = `image:\n  # the name\n  name: web\n\n# more\nreplicas: 1\n`;
  assert.equal(
    writeValues(before, [
      { path: 'image.tag', value: '1.20' },
      { path: 'image.name', value: 'web' },
    ]),
    `image:\n  # the name\n  name: web\n  tag: "1.20"\n\n# more\nreplicas: 1\n`,
  );
});

test('tags that YAML would read as something else are quoted', () => {
  for (const tag of [
    '1.20',
    '16',
    '0755',
    'on',
    'Yes',
    'null',
    '1e3',
    '0x10',
    '2024-01-01',
    '1_000',
    '.5',
    '12:30:45',
    '',
    '~',
    'n',
  ]) {
    const text = setValue('tag: old\n', 'tag', tag);
    assert.deepEqual(readYaml(text), { tag }, text);
    assert.match(text, /^tag: "/u);
  }
  for (const tag of ['1.2.3', 'v1', 'release-2024', 'main-0a1b2c3'])
    assert.equal(setValue('tag: old\n', 'tag', tag), `tag: ${tag}\n`);
});

test('paths may contain lists, flow maps, aliases, empty keys and keys with dots', () => {
  assert.equal(setValue('images:\n- tag: a\n- tag: b\n', 'images[1].tag', 'c'), 'images:\n- tag: a\n- tag: c\n');
  assert.equal(setValue('image: {name: web, tag: a}\n', 'image.tag', 'b'), 'image: {name: web, tag: b}\n');
  assert.equal(setValue('image: {name: web}\n', 'image.tag', 'b'), 'image: {name: web, tag: b}\n');
  assert.equal(setValue('v: &v 1.0.0\nimage:\n  tag: *v\n', 'image.tag', '1.1.0'), 'v: &v 1.1.0\nimage:\n  tag: *v\n');
  assert.equal(setValue('image:\nreplicas: 1\n', 'image.tag', 'a'), 'image:\n  tag: a\nreplicas: 1\n');
  assert.equal(setValue('image.tag: a\n', 'image.tag', 'b'), 'image.tag: b\n');
  assert.equal(setValue('a: 1', 'image.tag', 'b'), 'a: 1\nimage:\n  tag: b');
  assert.equal(setValue('tag: |\n  old\nnext: 1\n', 'tag', 'new'), 'tag: new\nnext: 1\n');
});

test('a path that cannot be set is an error, and the file is unchanged', () => {
  const before = 'image: web\nlist:\n- a\n';
  for (const path of ['image.tag', 'list.tag', 'list[5].tag', 'list[-1]', 'image[0]', 'missing[0].tag', 'list']) {
    assert.throws(() => setValue(before, path, 'x'), { reason: 'CannotWrite' }, path);
  }
  assert.throws(() => setValue('- a\n', 'image.tag', 'x'), { reason: 'CannotWrite' });
  assert.throws(() => setValue('a: [', 'image.tag', 'x'), { reason: 'CannotWrite', message: /is not YAML/u });
});

test('any written value can be read back, and nothing else has changed', () => {
  const key = fc.constantFrom('a', 'b', 'c');
  const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('x', '1.20', 'yes', 'v1 # no comment', ''),
      fc.dictionary(key, tie('node'), { minKeys: 1, maxKeys: 3 }),
    ),
  })).node;
  fc.assert(
    fc.property(
      fc.dictionary(key, value, { minKeys: 1, maxKeys: 3 }),
      fc.array(key, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('1.0', 'new', 'on'),
      (tree, path, tag) => {
        const text = `# head\n${JSON.stringify(tree, null, 2).replaceAll('"', "'")}\n`;
        const at = path.join('.');
        let after: string;
        try {
          after = setValue(text, at, tag);
        } catch {
          return;
        }
        assert.equal(getValue(after, at), tag);
        const expected = structuredClone(tree) as Record<string, unknown>;
        const holder = path
          .slice(0, -1)
          .reduce<Record<string, unknown>>((here, name) => (here[name] ??= {}) as Record<string, unknown>, expected);
        holder[path.at(-1)!] = tag;
        assert.deepEqual(readYaml(after), expected);
        assert.ok(after.startsWith('# head\n'));
      },
    ),
  );
});
