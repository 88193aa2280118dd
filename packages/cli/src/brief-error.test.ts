import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiError } from '@fairlead/apimachinery';
import { briefMessage } from './brief-error.ts';

const whole = JSON.stringify({
  apiVersion: 'argoproj.io/v1alpha1',
  spec: { note: 'a: b "c" }', path: 'x'.repeat(5_000) },
});

test('a whole object in a message is left out; field and reason stay', () => {
  const text = `Application.argoproj.io "web" is invalid: <nil>: Invalid value: ${whole}: spec.source.path in body must be of type string`;
  assert.equal(
    briefMessage(apiError(422, 'Invalid', text)),
    'Application.argoproj.io "web" is invalid: <nil>: Invalid value: …: spec.source.path in body must be of type string',
  );
});

test('causes are listed once each, with short values, up to five', () => {
  const causes = Array.from({ length: 8 }, (_, i) => ({
    reason: 'FieldValueInvalid',
    field: `spec.f${i}`,
    message: `Invalid value: "integer": spec.f${i} in body must be of type string: "integer"`,
  }));
  const brief = briefMessage(apiError(422, 'Invalid', 'long', { causes: [...causes, ...causes] }));
  assert.match(brief, /^spec\.f0: Invalid value: "integer": spec\.f0 in body must be of type string: "integer"; /u);
  assert.match(brief, /; and 3 more$/u);
});

test('any other long message is cut', () => {
  const brief = briefMessage(apiError(400, 'BadRequest', 'x'.repeat(5_000)));
  assert.equal(brief.length, 600);
  assert.ok(brief.endsWith('…'));
});
