/** Shared concepts are declared once, in the package that owns them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const files = execFileSync('git', ['ls-files', 'packages'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /^packages\/[\w-]+\/src\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
const sources = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));

const declaration = (...names: readonly string[]): RegExp =>
  new RegExp(`^(?:export )?(?:async )?(?:interface|type|class|function|const) (?:${names.join('|')})\\b(?! from)`, 'm');

const concepts: readonly (readonly [concept: string, pattern: RegExp, owner: string])[] = [
  ['the Secret type', declaration('Secret'), 'packages/apimachinery/src/kinds/core.ts'],
  ['merge patch', declaration('mergePatch', 'jsonMergePatch'), 'packages/apimachinery/src/patch/merge-patch.ts'],
  ['the label selector', declaration('LabelSelector'), 'packages/apimachinery/src/validation/labels.ts'],
  [
    'label selector matching',
    declaration('parseLabelSelector', 'selectorFromObject', 'matchesLabels', 'labelsMatch'),
    'packages/apimachinery/src/selectors/label-selector.ts',
  ],
  [
    'the image reference parser',
    declaration('parseImageReference', 'splitImageReference', 'parseImageName'),
    'packages/apimachinery/src/image-reference.ts',
  ],
  [
    'the duration parser',
    declaration('parseDuration', 'parseGoDuration', 'readDuration'),
    'packages/apimachinery/src/duration.ts',
  ],
  ['sleep', declaration('sleep', 'delay', 'wait'), 'packages/kube/src/clock.ts'],
  [
    'RFC 3339 truncation to the second',
    /toISOString\(\)\.(?:replace\(\/\\\.|slice\(0, 19\)\}Z)/,
    'packages/apimachinery/src/meta/time.ts',
  ],
  ['the condition type', declaration('Condition'), 'packages/apimachinery/src/meta/condition.ts'],
];

for (const [concept, pattern, owner] of concepts)
  test(`${concept} is declared in ${owner} only`, () => {
    const found = sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
    assert.deepEqual(found, [owner]);
  });

test('product code waits with sleep, not with a timer in a promise', () => {
  const found = sources.filter(({ text }) => /setTimeout\(resolve|node:timers\/promises/.test(text));
  assert.deepEqual(
    found.map(({ file }) => file),
    [],
  );
});
