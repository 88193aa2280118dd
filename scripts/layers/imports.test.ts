import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Import, importsOf } from './imports.ts';

const found = (source: string): [string, Import['use']][] =>
  importsOf(source).map(({ specifier, use }) => [specifier, use]);

const cases: readonly [title: string, source: string, expected: readonly [string, Import['use']][]][] = [
  ['named imports', "import { a, b as c } from './x.ts';", [['./x.ts', 'load']]],
  ['imports over several lines', "import {\n  a,\n  type B,\n} from\n  './x.ts';", [['./x.ts', 'load']]],
  [
    'a default and a namespace',
    'import a, * as b from \'x\'; import c from "y"',
    [
      ['x', 'load'],
      ['y', 'load'],
    ],
  ],
  ['an import for its effect', "import 'reflect-metadata';", [['reflect-metadata', 'load']]],
  ['import attributes', "import a from './a.json' with { type: 'json' };", [['./a.json', 'load']]],
  [
    'type imports',
    "import type { A } from 'x'; import type B from 'y'; import type * as C from 'z';",
    [
      ['x', 'type'],
      ['y', 'type'],
      ['z', 'type'],
    ],
  ],
  [
    'a value called type',
    "import type from 'x'; import type, { a } from 'y'; import type from from 'z';",
    [
      ['x', 'load'],
      ['y', 'load'],
      ['z', 'type'],
    ],
  ],
  ['only inline types: Node keeps the import', "import { type A } from 'x';", [['x', 'load']]],
  [
    're-exports',
    "export { a } from 'a'; export * from 'b'; export * as c from 'c'; export type { D } from 'd';",
    [
      ['a', 'load'],
      ['b', 'load'],
      ['c', 'load'],
      ['d', 'type'],
    ],
  ],
  [
    'exports that import nothing',
    "export { a };\nexport type { B };\nexport const from = 'x';\nexport type C = 'y';\nexport default 'z';",
    [],
  ],
  [
    'dynamic imports',
    "const a = await import('a'); const b = () => import(`b`); import(path);",
    [
      ['a', 'lazy'],
      ['b', 'lazy'],
    ],
  ],
  ['the type of a module', "let a: typeof import('a');", [['a', 'type']]],
  ['import.meta', "import.meta.resolve('a'); new URL('./b', import.meta.url);", [['a', 'lazy']]],
  [
    'comments',
    "// import 'a';\n/* export * from 'b'; */ /** {@link import('c')} */\nimport 'd'; // from 'e'",
    [['d', 'load']],
  ],
  [
    'strings and templates',
    `const a = "import 'a'"; const b = \`import 'b'; \${import('c')} \${\`import 'd' \${{ e: '}' }}\`} import 'f'\`;`,
    [['c', 'lazy']],
  ],
  [
    'regular expressions',
    "const a = /import 'a'[/'\"`]/g.test(b); return /[`]/; const c = d! / 2 / e; import 'f';",
    [['f', 'load']],
  ],
  ['properties', "a.import('x'); const b = { import: 'y', export: 'z' };", []],
];

for (const [title, source, expected] of cases)
  test(`imports: ${title}`, () => assert.deepEqual(found(source), expected));

test('an import has its line', () => {
  const source = "/*\n\n*/ const a = `\n`;\nimport {\n  b,\n} from 'c';\nimport 'd';\n";
  assert.deepEqual(
    importsOf(source).map(({ line }) => line),
    [5, 8],
  );
});
