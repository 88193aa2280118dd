import { mapOf, struct, text } from '../config/decode.ts';
import { publishToNats } from './publish-to-nats.ts';
import type { CreateService } from './service.ts';

const optionFields = struct({ url: text, headers: mapOf(text), nkey: text, username: text, password: text });

/** Messages to a NATS server; the recipient is the subject. */
export const createNats: CreateService = (raw) => {
  const { url, headers, nkey, username, password } = optionFields(raw, '');
  return {
    send: ({ message }, { recipient }, { signal }) =>
      publishToNats({ url, nkey, username, password }, { subject: recipient, headers, data: message }, signal),
  };
};
