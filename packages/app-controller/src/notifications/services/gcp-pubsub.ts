import { stringsAt } from '@fairlead/apimachinery';
import { gkeToken } from '../../cluster/cloud/gke-token.ts';
import { struct, text } from '../config/decode.ts';
import { jsonRequest } from '../http/http-message.ts';
import { type CreateService, deliver, type SendContext } from './service.ts';

const optionFields = struct({ topic: text, project: text, keyFile: text });

/** Messages to a topic of Google Cloud Pub/Sub; the recipient, if there is one, is the topic. */
export const createGcpPubsub: CreateService = (raw) => {
  const { topic, project, keyFile } = optionFields(raw, '');
  return {
    async send({ message, parts }, { recipient }, context) {
      const name = recipient || topic;
      if (project === '' || name === '') throw new Error('gcppubsub: set project and topic');
      const attributes = stringsAt(parts['gcppubsub'], 'attributes');
      const one = {
        data: Buffer.from(message).toString('base64'),
        ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
      };
      // The emulator of Google's tools takes messages of anybody.
      const emulator = context.environment['PUBSUB_EMULATOR_HOST'];
      const server = emulator ? `http://${emulator}` : 'https://pubsub.googleapis.com';
      const headers = emulator ? {} : { authorization: `Bearer ${await tokenFor(keyFile, context)}` };
      const path = [project, name].map(encodeURIComponent);
      const url = `${server}/v1/projects/${path[0]}/topics/${path[1]}:publish`;
      await deliver(jsonRequest(url, { messages: [one] }, headers), context);
    },
  };
};

/** Of the key file, or of the process as GOOGLE_APPLICATION_CREDENTIALS or the machine say. */
async function tokenFor(keyFile: string, { http, signal, environment, clock }: SendContext): Promise<string> {
  const source = keyFile === '' ? environment : { GOOGLE_APPLICATION_CREDENTIALS: keyFile };
  const token = await gkeToken(
    source,
    async (request) => {
      const { status, body } = await http(request, signal);
      return { status, text: body };
    },
    clock.now(),
  );
  return token.value;
}
