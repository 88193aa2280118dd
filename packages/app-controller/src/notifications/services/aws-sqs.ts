import { textAt } from '@fairlead/apimachinery';
import { type AwsCredentials, sign } from '../../aws/signature.ts';
import { struct, text } from '../config/decode.ts';
import { jsonOf } from '../http/http-message.ts';
import { type CreateService, deliver, type SendContext } from './service.ts';

const optionFields = struct({ queue: text, account: text, region: text, endpointUrl: text, key: text, secret: text });
type Options = ReturnType<typeof optionFields>;

/** Messages to a queue of AWS SQS; the recipient, if there is one, is the name of the queue. */
export const createAwsSqs: CreateService = (raw) => {
  const options = optionFields(raw, '');
  return {
    async send({ message, parts }, { recipient }, context) {
      const found = await call(
        options,
        'GetQueueUrl',
        {
          QueueName: recipient || options.queue,
          ...(options.account === '' ? {} : { QueueOwnerAWSAccountId: options.account }),
        },
        context,
      );
      const group = textAt(parts, 'awssqs', 'messageGroupId');
      await call(
        options,
        'SendMessage',
        {
          QueueUrl: textAt(found, 'QueueUrl'),
          MessageBody: message,
          DelaySeconds: 10,
          ...(group === '' ? {} : { MessageGroupId: group }),
        },
        context,
      );
    },
  };
};

async function call(options: Options, action: string, body: unknown, context: SendContext): Promise<unknown> {
  const { environment, clock } = context;
  const region = options.region || environment.AWS_REGION || environment.AWS_DEFAULT_REGION;
  if (!region) throw new Error('awssqs: set region');
  const url = options.endpointUrl || `https://sqs.${region}.amazonaws.com/`;
  const text = JSON.stringify(body);
  const headers = sign({
    url,
    service: 'sqs',
    region,
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
    body: text,
    credentials: credentialsOf(options, environment),
    now: new Date(clock.now()),
  });
  return jsonOf((await deliver({ method: 'POST', url, headers, body: text }, context)).body);
}

function credentialsOf({ key, secret }: Options, environment: SendContext['environment']): AwsCredentials {
  if (key !== '' && secret !== '') return { id: key, secret };
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new Error('awssqs: set key and secret, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  const session = AWS_SESSION_TOKEN ? { session: AWS_SESSION_TOKEN } : {};
  return { id: AWS_ACCESS_KEY_ID, secret: AWS_SECRET_ACCESS_KEY, ...session };
}
