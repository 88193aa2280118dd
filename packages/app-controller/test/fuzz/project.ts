/** The patterns of a project: a denial is never overruled by other entries, and no pattern throws. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText, wordsOf } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget } from '../../../../scripts/fuzz/target.ts';
import { isDestinationPermitted, isSourcePermitted, resourceRefusal } from '../../src/project/project.ts';
import { projectProblems } from '../../src/project/project-problems.ts';
import { sampleProject } from '../support/sample-application.ts';

const words = '* ** ? ! https:// git@ github.com : / team shop .git [a-z] [ { } {a,b} \\ prod- ns argoproj.io *'.split(
  ' ',
);
const pattern = fc.oneof(
  wordsOf(words, 5).map((text) => text.replaceAll(' ', '')),
  anyText,
);
const address = fc.oneof(
  fc.constantFrom(
    'https://github.com/team/shop',
    'git@github.com:team/shop.git',
    'https://github.com/Team/Shop.git/',
    '%zz',
  ),
  pattern,
);
const entry = fc.record({ server: pattern, name: pattern, namespace: pattern }, { requiredKeys: [] });
const kind = fc.record({ group: pattern, kind: pattern });

export const target = fuzzTarget({
  inputs: fc.record({
    repos: fc.array(pattern, { maxLength: 4 }),
    destinations: fc.array(entry, { maxLength: 3 }),
    allowed: fc.option(fc.array(kind, { maxLength: 3 }), { nil: null }),
    denied: fc.array(kind, { maxLength: 3 }),
    repoURL: address,
    namespace: fc.constantFrom('prod-a', 'ns', ''),
  }),
  check(input: {
    repos: string[];
    destinations: { server?: string; name?: string; namespace?: string }[];
    allowed: { group: string; kind: string }[] | null;
    denied: { group: string; kind: string }[];
    repoURL: string;
    namespace: string;
  }) {
    const spec = {
      sourceRepos: input.repos,
      destinations: input.destinations,
      namespaceResourceBlacklist: input.denied,
      ...(input.allowed ? { namespaceResourceWhitelist: input.allowed } : {}),
    };
    const checked = sampleProject(spec);
    projectProblems(checked);
    const source = { repoURL: input.repoURL };
    const cluster = { server: 'https://kubernetes.default.svc', name: 'in-cluster' };
    const permitted = isSourcePermitted(checked, source);
    if (permitted) {
      const denying = sampleProject({ ...spec, sourceRepos: [...input.repos, `!${input.repoURL}`, '*'] });
      const isPattern = /[*?[\]{}\\!]/u.test(input.repoURL);
      if (!isPattern) assert.ok(!isSourcePermitted(denying, source), 'a denial of exactly this address');
    }
    assert.ok(
      !isSourcePermitted(sampleProject({ ...spec, sourceRepos: [...input.repos, '!**'] }), source),
      'a denial of all',
    );
    isDestinationPermitted(checked, cluster, input.namespace);
    const nothing = sampleProject({ ...spec, destinations: [...input.destinations, { server: '*', namespace: '!*' }] });
    assert.ok(!isDestinationPermitted(nothing, cluster, input.namespace), 'a denial of every namespace');
    const id = { group: 'apps', kind: 'Deployment', namespace: input.namespace || 'ns', name: 'web' };
    const all = sampleProject({ ...spec, namespaceResourceBlacklist: [...input.denied, { group: '*', kind: '*' }] });
    assert.ok(resourceRefusal(all, cluster, id), 'a denial of every kind');
  },
});
