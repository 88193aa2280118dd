import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectMeta } from '@fairlead/apimachinery';
import { dropRepeatedOwners } from './owners.ts';

const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '1' };

function deduplicated(owners: object[], late = false): { owners: unknown; warnings: string[] } {
  const meta = { name: 'a', ownerReferences: owners } as unknown as ObjectMeta;
  const warnings: string[] = [];
  dropRepeatedOwners(meta, { warn: (text) => warnings.push(text) }, late);
  return { owners: meta.ownerReferences, warnings };
}

test('identical owner references are deduplicated, with a warning', () => {
  const { owners, warnings } = deduplicated([owner, { ...owner, uid: '2' }, { ...owner }]);
  assert.deepEqual(owners, [owner, { ...owner, uid: '2' }]);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /contains duplicate entries; .* observed: 1$/);
  assert.match(deduplicated([owner, owner], true).warnings[0]!, /entries after mutating admission happens;/);
});

test('owner references that differ in any field are kept', () => {
  const owners = [owner, { ...owner, controller: true }];
  assert.deepEqual(deduplicated(owners), { owners, warnings: [] });
});
