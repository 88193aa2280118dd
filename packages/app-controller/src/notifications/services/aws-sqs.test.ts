import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger, systemClock } from '@fairlead/kube';
import type { HttpRequest } from '../http/http-message.ts';
import { signedForAws } from './aws-signature.ts';
import { createAwsSqs } from './aws-sqs.ts';

test('a request is signed as the example of AWS for Signature Version 4', () => {
  const request = { method: 'GET', url: 'https://example.amazonaws.com/' };
  const credentials = { key: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
  const signed = signedForAws(request, credentials, {
    region: 'us-east-1',
    service: 'service',
    now: Date.UTC(2015, 7, 30, 12, 36),
  });
  assert.match(
    signed.headers?.['authorization'] ?? '',
    /Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31$/u,
  );
});

test('a message goes to the queue that the recipient names', async () => {
  const sent: HttpRequest[] = [];
  const service = createAwsSqs({
    region: 'eu-west-1',
    queue: 'q',
    key: 'k',
    secret: 's',
    endpointUrl: 'http://127.0.0.1:1/',
  });
  const part = { messageGroupId: 'g' };
  await service.send(
    { message: 'hello', parts: { awssqs: part } },
    { service: 'awssqs', recipient: 'other' },
    {
      http: async (request) => {
        sent.push(request);
        return { status: 200, headers: {}, body: JSON.stringify({ QueueUrl: 'http://queue' }) };
      },
      mail: async () => {},
      clock: systemClock,
      environment: {},
      signal: new AbortController().signal,
      log: silentLogger,
    },
  );
  assert.deepEqual(
    sent.map(({ headers, body }) => [headers?.['x-amz-target'], JSON.parse(body ?? '')]),
    [
      ['AmazonSQS.GetQueueUrl', { QueueName: 'other' }],
      [
        'AmazonSQS.SendMessage',
        { QueueUrl: 'http://queue', MessageBody: 'hello', DelaySeconds: 10, MessageGroupId: 'g' },
      ],
    ],
  );
});
