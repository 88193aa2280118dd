import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdit, type Edit, type Step, stepsOf } from './edits.ts';

const page = `# Page

## Add a row

Text.

\`\`\`diff src/table.ts
 const table = {
+  b: 2,
-  c: 3,
   d: 4,
\`\`\`

\`\`\`sh
npm test
\`\`\`

\`\`\`diff src/new.ts
+export const a = 1;
\`\`\`

## Other

\`\`\`diff src/other.ts
+x
\`\`\`
`;

const isEdit = (step: Step): step is Edit => 'path' in step;

test('the steps of one section are read', () => {
  assert.deepEqual(stepsOf(page, 'Add a row'), [
    {
      path: 'src/table.ts',
      before: ['const table = {', '  c: 3,', '  d: 4,'],
      after: ['const table = {', '  b: 2,', '  d: 4,'],
    },
    { command: 'npm test' },
    { path: 'src/new.ts', before: [], after: ['export const a = 1;'] },
  ]);
  assert.throws(() => stepsOf(page, 'Missing'), /no heading "## Missing"/);
});

test('an edit changes exactly the lines that it names', () => {
  const [change, creation] = stepsOf(page, 'Add a row').filter(isEdit);
  assert.ok(change && creation);
  assert.equal(applyEdit('const table = {\n  c: 3,\n  d: 4,\n};\n', change), 'const table = {\n  b: 2,\n  d: 4,\n};\n');
  assert.equal(applyEdit('', creation), 'export const a = 1;\n');
});

test('an edit whose lines are missing or not unique fails', () => {
  const [change, creation] = stepsOf(page, 'Add a row').filter(isEdit);
  assert.ok(change && creation);
  const lines = 'const table = {\n  c: 3,\n  d: 4,\n';
  assert.throws(() => applyEdit('const table = {};\n', change), /src\/table.ts: found nowhere/);
  assert.throws(() => applyEdit(lines + lines, change), /found twice/);
  assert.throws(() => applyEdit('x\n', creation), /the edit creates this file, but it exists/);
});
