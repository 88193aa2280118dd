import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { importCycles } from './cycles.ts';
import { deepImports } from './deep-imports.ts';
import { undeclaredDependencies } from './dependencies.ts';
import { wrongDirections } from './direction.ts';
import { readWorkspace, type Violation, type Workspace } from './workspace.ts';

type Check = (workspace: Workspace) => Violation[];

/** A small workspace in a temporary folder: `kube` is below `api`, and `api` declares it. */
function workspace(t: TestContext, changes: Readonly<Record<string, string | object>>): Workspace {
  const files: Record<string, string | object> = {
    'package.json': { name: 'fairlead', devDependencies: { '@fairlead/api': '*', 'fast-check': '*' } },
    'packages/kube/package.json': {
      name: '@fairlead/kube',
      exports: { '.': './src/index.ts', './testing': './test/support/index.ts' },
    },
    'packages/kube/src/index.ts': "export { a } from './a.ts';\n",
    'packages/kube/src/a.ts': 'export const a = 1;\n',
    'packages/kube/test/support/index.ts': 'export const b = 2;\n',
    'packages/api/package.json': {
      name: '@fairlead/api',
      exports: { '.': './src/index.ts' },
      dependencies: { '@fairlead/kube': '*' },
    },
    'packages/api/src/index.ts': "export { a } from '@fairlead/kube';\n",
    ...changes,
  };
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-layers-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return readWorkspace(folder);
}

function fails(
  title: string,
  check: Check,
  files: Readonly<Record<string, string | object>>,
  ...expected: string[]
): void {
  test(title, (t) => {
    const violations = check(workspace(t, files)).map(({ where, message }) => `${where}: ${message}`);
    assert.deepEqual(violations, expected);
  });
}

test('a workspace with clean borders has no violation', (t) => {
  const clean = workspace(t, {
    'packages/api/test/api.test.ts': "import fc from 'fast-check';\nimport { b } from '@fairlead/kube/testing';\n",
    'packages/api/bench/api.ts': "import type { Figure } from '../../../scripts/bench.ts';\n",
    'packages/api/node_modules/x/index.js': "import '@fairlead/sim/internal';\n",
    'scripts/bench.ts': "import { readFileSync } from 'node:fs';\n",
  });
  for (const check of [deepImports, undeclaredDependencies, importCycles, wrongDirections])
    assert.deepEqual(check(clean), []);
});

fails(
  'a deep import fails, in types and tests too',
  deepImports,
  {
    'packages/api/src/b.ts': "import { a } from '@fairlead/kube';\nimport type { A } from '@fairlead/kube/a';\n",
    'packages/api/test/b.test.ts': "const { a } = await import('@fairlead/kube/src/a.ts');\n",
  },
  'packages/api/src/b.ts:2: imports @fairlead/kube/a, which the exports of @fairlead/kube do not list',
  'packages/api/test/b.test.ts:1: imports @fairlead/kube/src/a.ts, which the exports of @fairlead/kube do not list',
);

fails(
  'a wildcard in exports fails, and so does an import through it',
  deepImports,
  {
    'packages/kube/package.json': { name: '@fairlead/kube', exports: { '.': './src/index.ts', './*': './src/*.ts' } },
    'packages/api/src/b.ts': "import { a } from '@fairlead/kube/a';\n",
  },
  'packages/kube/package.json: exports has the wildcard "./*"; list each entry point',
  'packages/api/src/b.ts:1: imports @fairlead/kube/a, which the exports of @fairlead/kube do not list',
);

fails(
  'a relative path into another package fails, from scripts too',
  deepImports,
  {
    'packages/api/src/b.ts': "export * from '../../kube/src/a.ts';\n",
    'scripts/c.ts': "import { a } from '../packages/kube/src/a.ts';\n",
    'packages/api/src/d.ts': "import { c } from '../../../scripts/c.ts';\n",
  },
  'packages/api/src/b.ts:1: imports ../../kube/src/a.ts, which is a file of @fairlead/kube; import the package by name',
  'packages/api/src/d.ts:1: imports ../../../scripts/c.ts, which is a file of another folder; import the package by name',
  'scripts/c.ts:1: imports ../packages/kube/src/a.ts, which is a file of @fairlead/kube; import the package by name',
);

fails(
  'a package that imports itself by name fails',
  deepImports,
  { 'packages/api/src/b.ts': "import { a } from '@fairlead/api';\n" },
  'packages/api/src/b.ts:1: imports its own package as @fairlead/api; use a relative path',
);

fails(
  'an undeclared dependency fails, in types and dynamic imports too',
  undeclaredDependencies,
  {
    'packages/kube/src/b.ts': "import type { Pool } from 'pg';\nimport { parse } from 'yaml';\nimport fs from 'fs';\n",
    'packages/kube/src/c.ts': "const x509 = await import('@peculiar/x509');\nimport { stringify } from 'yaml';\n",
    'packages/kube/test/d.test.ts': "import { x } from '@fairlead/api';\n",
    'scripts/e.ts': "import { a } from '@fairlead/kube';\n",
  },
  'packages/kube/src/b.ts:1: imports pg, which is not in dependencies of packages/kube/package.json',
  'packages/kube/src/b.ts:2: imports yaml, which is not in dependencies of packages/kube/package.json (1 more such imports)',
  'packages/kube/src/c.ts:1: imports @peculiar/x509, which is not in dependencies of packages/kube/package.json',
  'packages/kube/test/d.test.ts:1: imports @fairlead/api, which is neither in dependencies nor in devDependencies of packages/kube/package.json',
  'scripts/e.ts:1: imports @fairlead/kube, which is neither in dependencies nor in devDependencies of package.json',
);

fails(
  'a development dependency is for tests only',
  undeclaredDependencies,
  {
    'packages/kube/package.json': { name: '@fairlead/kube', devDependencies: { yaml: '*' } },
    'packages/kube/src/b.ts': "import { parse } from 'yaml';\nimport fc from 'fast-check';\n",
    'packages/kube/src/b.test.ts': "import { parse } from 'yaml';\n",
    'packages/kube/conformance/c.ts': "import { parse } from 'yaml';\n",
  },
  'packages/kube/src/b.ts:1: imports yaml, which is only in devDependencies of packages/kube/package.json',
  'packages/kube/src/b.ts:2: imports fast-check, which is not in dependencies of packages/kube/package.json',
);

fails(
  'an import cycle between files fails',
  importCycles,
  {
    'packages/kube/src/a.ts': "import { b } from './b.ts';\n",
    'packages/kube/src/b.ts': "export * from './c.ts';\n",
    'packages/kube/src/c.ts': "import './a.ts';\n",
  },
  'packages/kube/src/a.ts: import cycle: packages/kube/src/a.ts → packages/kube/src/b.ts → packages/kube/src/c.ts → packages/kube/src/a.ts',
);

fails('types and dynamic imports make no cycle', importCycles, {
  'packages/kube/src/a.ts': "import type { B } from './b.ts';\nimport { c } from './c.ts';\n",
  'packages/kube/src/b.ts': "import { a } from './a.ts';\n",
  'packages/kube/src/c.ts': "const a = () => import('./a.ts');\n",
});

fails(
  'an import cycle between packages fails, of files as well as of packages',
  importCycles,
  { 'packages/kube/src/a.ts': "import { a } from '@fairlead/api';\n" },
  'packages/api/src/index.ts: import cycle: packages/api/src/index.ts → packages/kube/src/index.ts → packages/kube/src/a.ts → packages/api/src/index.ts',
  '@fairlead/api: import cycle: @fairlead/api → @fairlead/kube → @fairlead/api',
);

fails(
  'packages that declare each other fail',
  importCycles,
  { 'packages/kube/package.json': { name: '@fairlead/kube', dependencies: { '@fairlead/api': '*' } } },
  '@fairlead/api: import cycle: @fairlead/api → @fairlead/kube → @fairlead/api',
);

fails(
  'an import against the order of packages fails, except in tests',
  wrongDirections,
  {
    'packages/kube/package.json': { name: '@fairlead/kube', dependencies: { '@fairlead/api': '*' } },
    'packages/kube/src/b.ts': "import type { A } from '@fairlead/api';\n",
    'packages/kube/src/b.test.ts': "import { a } from '@fairlead/api';\nimport { b } from '@fairlead/sim';\n",
    'packages/sim/package.json': { name: '@fairlead/sim' },
    'packages/sim/src/index.ts': "import { a } from '@fairlead/api';\n",
    'packages/api/src/c.ts': "import { b } from '@fairlead/sim';\n",
  },
  'packages/api/src/c.ts:1: @fairlead/api may not import @fairlead/sim',
  'packages/kube/src/b.ts:1: @fairlead/kube may not import @fairlead/api',
  'packages/kube/package.json: @fairlead/kube may not depend on @fairlead/api',
);

fails(
  'a package that the order does not know fails',
  wrongDirections,
  { 'packages/extra/package.json': { name: '@fairlead/extra' } },
  'packages/extra/package.json: @fairlead/extra has no place in the order of packages; add it to scripts/layers/direction.ts',
);
