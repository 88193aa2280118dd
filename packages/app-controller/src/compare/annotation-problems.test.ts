import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotationProblems } from './annotation-problems.ts';

const cases: [name: string, value: string, problem: RegExp | undefined][] = [
  ['hook', 'PreSync,PostSync', undefined],
  ['hook', 'PreSink', /'PreSink' is no hook: use one of PreSync, /],
  ['hook-delete-policy', 'HookSucceeded', undefined],
  ['hook-delete-policy', 'Always', /'Always' is no policy/],
  ['sync-wave', '-3', undefined],
  ['sync-wave', '1.5', /'1.5' is no whole number, and wave 0 is taken/],
  ['sync-options', 'Prune=false, Replace=true', undefined],
  ['sync-options', 'Prune=confirm', undefined],
  ['sync-options', 'Prunee=false', /'Prunee=false' is no sync option: use one of Prune, /],
  ['sync-options', 'Prune=no', /'Prune=no' does not say how: use Prune=true or Prune=false or Prune=confirm/],
  ['compare-options', 'IgnoreExtraneous,ServerSideDiff=true', undefined],
  ['compare-options', 'IgnoreAll', /'IgnoreAll' is no option of a comparison/],
  ['anything-else', 'x', undefined],
];
for (const [name, value, problem] of cases) {
  test(`${name}: ${value} ${problem ? 'is told, with the remedy' : 'is understood'}`, () => {
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
