import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verificationError } from './verification.ts';

test('a reason is shown with its field, without the stages before it', () => {
  const cases: readonly (readonly [string, string])[] = [
    [
      'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = none: app path does not exist',
      'source: none: app path does not exist',
    ],
    [
      'application spec for web is invalid: InvalidSpecError: Unable to generate manifests in none: rpc error: code = Unknown desc = none: app path does not exist',
      'source: none: app path does not exist',
    ],
    [
      'application destination spec for web is invalid: there are no clusters with this name: none',
      'destination: there are no clusters with this name: none',
    ],
    [
      "application repo https://x is not permitted in project 'p'",
      "application repo https://x is not permitted in project 'p'",
    ],
  ];
  for (const [message, shown] of cases)
    assert.equal(verificationError(message, undefined).message, `${shown}. --no-verify skips this check`);
});
