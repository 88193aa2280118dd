import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployment, pod, replicaSet } from '../../../test/support/sample-objects.ts';
import { type Claim, planClaim } from './claim.ts';

const owner = replicaSet(deployment(), 'one', { replicas: 1 });
const going = { ...owner, metadata: { ...owner.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } };
const other = { ...owner, metadata: { ...owner.metadata, uid: 'another' } };
const own = pod({ ownedBy: owner });
const orphan = pod();

const claims: readonly [why: string, Parameters<typeof planClaim>, Claim][] = [
  ['its own that matches', [owner, own, true], 'own'],
  ['its own that no longer matches', [owner, own, false], 'release'],
  ['a terminating owner releases nothing', [going, own, false], 'leave'],
  ['a terminating owner keeps its objects', [going, own, true], 'own'],
  ["another's", [owner, pod({ ownedBy: other }), true], 'leave'],
  ['an orphan that matches', [owner, orphan, true], 'adopt'],
  ['an orphan that does not', [owner, orphan, false], 'leave'],
  ['a terminating orphan', [owner, pod({ deleted: true }), true], 'leave'],
  ['a terminating owner adopts nothing', [going, orphan, true], 'leave'],
];

test('an owner keeps, adopts, releases or ignores a pod', () => {
  for (const [why, given, expected] of claims) assert.equal(planClaim(...given), expected, why);
});
