import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownableAt } from './endpoint-fields.ts';
import { fieldSet, membersOf, showPath } from './field-set.ts';

const all = fieldSet(
  ['f:metadata', 'f:labels', 'f:a'],
  ['f:metadata', 'f:finalizers', 'v:"x"'],
  ['f:spec', 'f:replicas'],
  ['f:spec', 'f:containers', 'k:{"name":"a"}', 'f:image'],
  ['f:spec', 'f:containers', 'k:{"name":"a"}', 'f:resources', 'f:limits'],
  ['f:status', 'f:phase'],
);

const cases: readonly [plural: string, group: string, subresource: string, custom: boolean, gone: RegExp][] = [
  ['deployments', 'apps', '', false, /^\.status/],
  ['deployments', 'apps', 'status', false, /^\.spec|labels/],
  ['statefulsets', 'apps', 'status', false, /^\.spec/],
  ['statefulsets', 'apps', 'scale', false, /^$/],
  ['widgets', 'example.com', 'status', true, /^\.(spec|metadata)/],
  ['pods', '', 'resize', false, /^(?!.*resources)/],
];

for (const [plural, group, subresource, custom, gone] of cases) {
  test(`${plural}/${subresource || 'main'} cannot own ${gone}`, () => {
    const filter = ownableAt({ plural, group, hasStatus: true, custom }, subresource);
    const shown = [...membersOf(all)].map(showPath);
    assert.deepEqual(
      [...membersOf(filter(all))].map(showPath),
      shown.filter((path) => !gone.test(path)),
    );
  });
}
