import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Collected, type Collection, decideCollection, type OwnerState } from './decide.ts';

const owned = (...states: OwnerState[]): Collected => ({
  finalizers: [],
  owners: states.map((state, at) => ({
    state,
    reference: { apiVersion: 'v1', kind: 'X', name: `o${at}`, uid: `o${at}` },
  })),
  hasDependents: false,
  dependentsWait: false,
});
const remove = (propagation: 'Background' | 'Foreground' | 'Orphan', unblock = false): Collection => ({
  kind: 'delete',
  propagation,
  unblock,
});

const table: readonly [string, Collected, Collection][] = [
  ['no owners', owned(), { kind: 'keep' }],
  ['owners that are there', owned('there', 'there'), { kind: 'keep' }],
  ['one missing and one existing owner', owned('absent', 'there'), { kind: 'drop-owners', owners: ['o0'] }],
  [
    'an owner that waits beside one that is there',
    owned('there', 'waiting-for-dependents'),
    { kind: 'drop-owners', owners: ['o1'] },
  ],
  ['only missing owners', owned('absent', 'absent'), remove('Background')],
  ['a waiting owner and no dependents', owned('waiting-for-dependents'), remove('Background')],
  ['a waiting owner and dependents', { ...owned('waiting-for-dependents'), hasDependents: true }, remove('Foreground')],
  [
    'a waiting owner and dependents that wait too',
    { ...owned('waiting-for-dependents'), hasDependents: true, dependentsWait: true },
    remove('Foreground', true),
  ],
  ['a wish to leave its dependents', { ...owned('absent'), finalizers: ['orphan'] }, remove('Orphan')],
  [
    'a wish to wait for its dependents',
    { ...owned('absent'), finalizers: ['foregroundDeletion'] },
    remove('Foreground'),
  ],
];

for (const [name, collected, decision] of table) {
  test(`an object with ${name}: ${decision.kind}`, () => assert.deepEqual(decideCollection(collected), decision));
}
