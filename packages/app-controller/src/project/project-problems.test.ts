import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import { projectProblems } from './project-problems.ts';

const problems = (spec: AppProject['spec']): string[] =>
  projectProblems({ apiVersion: '', kind: 'AppProject', metadata: { name: 'p' }, spec });
const role = (change: object): AppProject['spec'] => ({
  roles: [{ name: 'ci', policies: ['p, proj:p:ci, applications, sync, p/*, allow'], groups: ['team-a'], ...change }],
});
const window = { kind: 'deny', schedule: '0 0 * * *', duration: '1h' };

const cases: [title: string, spec: AppProject['spec'], expected: RegExp | undefined][] = [
  ['nothing', {}, undefined],
  ['a role', role({}), undefined],
  ['quoted groups', role({ groups: ['"a, b"'] }), undefined],
  ['an action of a resource', role({ policies: ['p, proj:p:ci, applications, action/apps/*, p/*, allow'] }), undefined],
  ['a destination that denies all', { destinations: [{ server: '!*' }] }, /destinations\[0\]\.server '!\*' denies/],
  [
    'a repository that is no glob',
    { sourceRepos: ['https://[a'] },
    /^spec\.sourceRepos\[0\]: glob .* has a \[ without/,
  ],
  [
    'a denied namespace that is no glob',
    { destinations: [{ server: '*', namespace: '!{a' }] },
    /destinations\[0\]\.namespace: glob/,
  ],
  ['a kind that is no glob', { clusterResourceWhitelist: [{ group: '[', kind: '*' }] }, /Whitelist\[0\]\.group: glob/],
  ['a namespace that is no expression', { sourceNamespaces: ['/(/'] }, /^spec\.sourceNamespaces\[0\]: Invalid regular/],
  ['a key', { signatureKeys: [{ keyID: '4AEE18F83AFDEB23' }, { keyID: '0x4aee 18F8 3AFD EB23' }] }, undefined],
  [
    'a key by too few digits',
    { signatureKeys: [{ keyID: '3AFDEB23' }] },
    /^spec\.signatureKeys\[0\]\.keyID '3AFDEB23' names no key: write a fingerprint/,
  ],
  ['a repository twice', { sourceRepos: ['a', 'b', 'a'] }, /^spec\.sourceRepos: 'a' is listed twice$/],
  ['a namespace twice', { sourceNamespaces: ['a', 'a'] }, /sourceNamespaces: 'a' is listed twice/],
  ['a name', role({ name: '-ci' }), /spec\.roles\[0\]\.name '-ci': use letters/],
  [
    'a policy of another role',
    role({ policies: ['p, proj:p:x, applications, get, p/*, allow'] }),
    /subject must be proj:p:ci/,
  ],
  ['a policy of five', role({ policies: ['p, proj:p:ci, applications, get, p/*'] }), /write p, subject/],
  ['a resource', role({ policies: ['p, proj:p:ci, nodes, get, p/*, allow'] }), /its resource must be one of/],
  ['an action', role({ policies: ['p, proj:p:ci, applications, fly, p/*, allow'] }), /'fly' is not an action/],
  ['an object', role({ policies: ['p, proj:p:ci, applications, get, q/*, allow'] }), /of the form p\/\*/],
  ['an effect', role({ policies: ['p, proj:p:ci, applications, get, p/*, maybe'] }), /allow or deny/],
  ['a group with a comma', role({ groups: ['a,b'] }), /'a,b' is not a group name/],
  ['a window without a selector', { syncWindows: [window] }, /syncWindows\[0\] matches nothing/],
  [
    'a schedule',
    { syncWindows: [{ ...window, schedule: 'x', applications: ['*'] }] },
    /\.schedule: cannot parse schedule 'x': expected exactly 5 fields, found 1: \[x\]/,
  ],
];
for (const [title, spec, expected] of cases) {
  test(`project: ${title} ${expected ? 'is invalid, and the field is named' : 'is valid'}`, () => {
    const found = problems(spec);
    if (!expected) assert.deepEqual(found, []);
    else assert.match(found[0] ?? '', expected);
  });
}
