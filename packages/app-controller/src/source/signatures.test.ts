import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import { systemClock } from '@fairlead/kube';
import type { Signable, SignatureResult } from '@fairlead/source';
import { createSignatures, noSignatures, SignatureRefused, verifySource } from './signatures.ts';

const key = 'A'.repeat(40);
const project: AppProject = {
  apiVersion: '',
  kind: 'AppProject',
  metadata: { name: 'shop' },
  spec: { signatureKeys: [{ keyID: key.slice(-16) }] },
};
const source = { repoURL: 'https://git.example/shop.git', path: '.' };
const commit: Signable = { type: 'commit', id: 'c0ffee', content: Buffer.from('') };
const verify = (result: SignatureResult | 'unsigned', object: Signable | undefined = commit, over: object = {}) =>
  verifySource(
    {
      sources: { signable: async () => object },
      signatures: { check: async () => result, onChange: () => () => {} },
    },
    project,
    { source: { ...source, ...over }, requested: 'v1', revision: 'c0ffee', ask: {} },
  );

test('an unsigned commit that must be signed is refused, with the key, the field and the remedy', async () => {
  await verify({ good: true, fingerprints: [key] });
  await verify({ good: true, fingerprints: ['B'.repeat(40), key] });
  const cases: [SignatureResult | 'unsigned', RegExp][] = [
    [
      'unsigned',
      /^commit c0ffee of https:\/\/git\.example\/shop\.git is not signed, and project 'shop' requires .* by one of A{16} \(spec\.signatureKeys\): sign it/,
    ],
    [
      { good: false, why: 'is signed with a key that has expired (B)' },
      /c0ffee .* has expired \(B\), and .* ConfigMap argocd-gpg-keys-cm$/,
    ],
    [
      { good: true, fingerprints: ['B'.repeat(40)] },
      /has a good signature by B{16}, and .*: add the key there, or sign with another$/,
    ],
  ];
  for (const [result, expected] of cases)
    await assert.rejects(verify(result), (error: Error) => {
      assert.ok(error instanceof SignatureRefused && !error.retriable);
      assert.match(error.message, expected);
      return true;
    });
  await assert.rejects(verify('unsigned', { ...commit, type: 'tag' }), /^SignatureRefused|the tag v1 of/);
});

test('a source that is not in Git has no commits to sign', async () => {
  await verify('unsigned', commit, { chart: 'web' });
});

test('without a signature verifier nothing is trusted', async () => {
  assert.equal(((await noSignatures.check(commit)) as SignatureResult).good, false);
  const nowhere = verifySource({ sources: {}, signatures: noSignatures }, project, {
    source,
    requested: '',
    revision: 'c0ffee',
    ask: {},
  });
  await assert.rejects(nowhere, /signatures cannot be checked here/);
});

test('a signature is verified once, and again after the keys change or the result expires', async () => {
  let asked = 0;
  let keys = ['one'];
  let now = 0;
  const gpg = {
    verify: async (): Promise<SignatureResult> => ({ good: true, fingerprints: [String(++asked)] }),
    close: async () => {},
  };
  const list = { list: () => keys, onChange: () => () => {} };
  const signatures = createSignatures(gpg, list, { ...systemClock, now: () => now });
  const content = Buffer.from(
    'tree x\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\nhello\n',
  );
  const check = () => signatures.check({ ...commit, content });
  await check();
  await check();
  assert.equal(asked, 1);
  keys = ['one', 'two'];
  await check();
  assert.equal(asked, 2);
  now += 11 * 60_000;
  await check();
  assert.equal(asked, 3);
  assert.equal(await signatures.check(commit), 'unsigned');
});
