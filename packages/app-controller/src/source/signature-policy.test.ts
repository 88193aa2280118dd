import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import { requiresSignatures, signaturePolicies } from './signature-policy.ts';

const project = (spec: AppProject['spec']): AppProject => ({
  apiVersion: '',
  kind: 'AppProject',
  metadata: { name: 'p' },
  spec,
});
const policy = (urls: string[], mode: string, keys: string[]) => ({
  repos: urls.map((url) => ({ url })),
  gpg: { mode, keys },
});
const integrity = (...policies: ReturnType<typeof policy>[]) => ({ sourceIntegrity: { git: { policies } } });
const url = 'https://git.example/team/shop.git';

const cases: [title: string, spec: AppProject['spec'], keys: string[][]][] = [
  ['nobody asks', {}, []],
  ['keys for all repositories', { signatureKeys: [{ keyID: 'A' }, { keyID: 'B' }] }, [['A', 'B']]],
  ['a policy of the repository', integrity(policy(['https://git.example/team/*'], 'head', ['A'])), [['A']]],
  [
    'by its very address, written otherwise',
    integrity(policy(['https://git.example/team/shop'], 'head', ['A'])),
    [['A']],
  ],
  ['of another repository', integrity(policy(['https://other.example/*'], 'head', ['A'])), []],
  ['denied', integrity(policy(['*', '!https://git.example/team/*'], 'head', ['A'])), []],
  ['switched off', integrity(policy(['*'], 'none', ['A'])), []],
  ['two that fit: both count', integrity(policy(['*'], 'head', ['A']), policy(['*'], 'head', ['B'])), [['A'], ['B']]],
  ['policies replace keys', { signatureKeys: [{ keyID: 'A' }], ...integrity(policy(['*'], 'head', ['B'])) }, [['B']]],
];
for (const [title, spec, keys] of cases)
  test(`which keys must sign: ${title}`, () => {
    const found = signaturePolicies(project(spec), url);
    assert.deepEqual(
      found.map((one) => one.keys),
      keys,
    );
    if (keys.length > 0) assert.ok(requiresSignatures(project(spec)));
  });

test('a project without signatureKeys requires no signatures', () => {
  assert.ok(!requiresSignatures(project(integrity(policy(['*'], 'none', [])))));
  assert.ok(!requiresSignatures(project({})));
});
