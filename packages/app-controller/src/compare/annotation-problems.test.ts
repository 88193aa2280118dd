import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotationProblems } from './annotation-problems.ts';

const cases: [name: string, value: string, problem: RegExp | undefined][] = [
  ['hook', 'PreSync,PostSync', undefined],
  ['hook', 'PreSink', /'PreSink' is not a hook type: use one of PreSync, /],
  ['hook-delete-policy', 'HookSucceeded', undefined],
  ['hook-delete-policy', 'Always', /'Always' is not a hook delete policy/],
  ['sync-wave', '-3', undefined],
  ['sync-wave', '1.5', /'1.5' is not an integer, so wave 0 applies/],
  ['sync-options', 'Prune=false, Replace=true', undefined],
  ['sync-options', 'Prune=confirm', undefined],
  ['sync-options', 'Prunee=false', /'Prunee=false' is not a sync option: use one of Prune, /],
  ['sync-options', 'Prune=no', /'Prune=no' is not a valid value: use Prune=true or Prune=false or Prune=confirm/],
  ['compare-options', 'IgnoreExtraneous,ServerSideDiff=true', undefined],
  ['compare-options', 'IgnoreAll', /'IgnoreAll' is not a compare option/],
  ['anything-else', 'x', undefined],
];
for (const [name, value, problem] of cases) {
  test(`${name}: ${value} ${problem ? 'is reported, with the valid values' : 'is valid'}`, () => {
    const annotations = { [`argocd.argoproj.io/${name}`]: value };
    const found = annotationProblems({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations } });
    if (!problem) assert.deepEqual(found, []);
    else {
      assert.equal(found.length, 1);
      assert.match(found[0]!, problem);
      assert.ok(found[0]!.startsWith(`metadata.annotations['argocd.argoproj.io/${name}']: `), 'the field is named');
    }
  });
}
