import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { defaultTracking } from './tracking.ts';
import { trackingProblem } from './tracking-problem.ts';

/** As a manifest may be, regardless of the type. */
const object = (metadata: object): KubeObject =>
  JSON.parse(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'l', ...metadata } }));

const wrong = {
  labels: { enabled: true },
  annotations: { a: 'b', count: 5 },
};

test('an object with annotations that are not strings cannot be tracked by annotation', () => {
  assert.equal(
    trackingProblem(object(wrong), defaultTracking),
    'failed to get annotations for /v1, Kind=ConfigMap /l: .metadata.annotations accessor error: contains non-string value in the map under key "count": 5 is of the type int64, expected string',
  );
  assert.match(
    trackingProblem(object({ annotations: ['a'] }), { ...defaultTracking, installationId: 'x' }) ?? '',
    /^failed to get annotations from target object .*: \["a"\] is of the type \[\]interface \{\}, expected map/,
  );
});

test('labels are checked only if tracking uses a label', () => {
  assert.equal(trackingProblem(object({ labels: wrong.labels, annotations: null }), defaultTracking), undefined);
  assert.equal(
    trackingProblem(object(wrong), { ...defaultTracking, method: 'label' }),
    'failed to set app instance label: failed to get labels from target object /v1, Kind=ConfigMap /l: .metadata.labels accessor error: contains non-string value in the map under key "enabled": true is of the type bool, expected string',
  );
  assert.match(
    trackingProblem(object({ labels: { a: null } }), { ...defaultTracking, method: 'annotation+label' }) ?? '',
    /under key "a": <nil> is of the type <nil>, expected string$/,
  );
});
