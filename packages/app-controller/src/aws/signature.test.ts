import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sign } from './signature.ts';

test('a request is signed as the example of AWS for Signature Version 4', () => {
  const { authorization } = sign({
    method: 'GET',
    url: 'https://example.amazonaws.com/',
    service: 'service',
    region: 'us-east-1',
    headers: {},
    body: '',
    credentials: { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
    now: new Date(Date.UTC(2015, 7, 30, 12, 36)),
  });
  assert.match(authorization ?? '', /Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31$/u);
});
