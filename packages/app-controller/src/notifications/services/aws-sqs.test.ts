import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger, systemClock } from '@fairlead/kube';
import type { HttpRequest } from '../http/http-message.ts';
import { createAwsSqs } from './aws-sqs.ts';

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
