import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { ImagesError } from '../images-error.ts';
import { isSigned, knowsSecret } from './proof.ts';

const body = Buffer.from('{"action":"published"}');
const signature = (secret: string, content = body): string =>
  `sha256=${createHmac('sha256', secret).update(content).digest('hex')}`;

test('a signature matches only its body and secret', () => {
  assert.ok(isSigned(body, 'secret', signature('secret')));
  assert.ok(!isSigned(body, 'secret', signature('guess')));
  assert.ok(!isSigned(body, 'secret', signature('secret', Buffer.from('{}'))));
  assert.ok(!isSigned(body, 'secret', signature('secret').slice('sha256='.length)), 'without its algorithm');
  for (const wrong of ['', 'sha256=', 'sha256=00']) assert.ok(!isSigned(body, 'secret', wrong), wrong);
});

test('a configured secret is required', () => {
  knowsSecret(undefined, '');
  knowsSecret('secret', 'secret');
  for (const sent of [undefined, null, '', 'guess', 'secret2'])
    assert.throws(() => knowsSecret(sent, 'secret'), ImagesError);
});
