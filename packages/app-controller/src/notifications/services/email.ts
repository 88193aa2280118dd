import { objectAt, textAt } from '@fairlead/apimachinery';
import { bool, integer, struct, text } from '../config/decode.ts';
import type { CreateService } from './service.ts';

const optionFields = struct({
  host: text,
  port: integer,
  insecure_skip_verify: bool,
  username: text,
  password: text,
  from: text,
  html: bool,
});

const address = /^[^\s@<>()]+@[^\s@<>()]+$/u;
/** `ann@example.com` or `Ann <ann@example.com>`. */
const isAddress = (given: string): boolean => address.test(/<([^<>]*)>\s*$/u.exec(given)?.[1] ?? given);

/** Mail. The recipient may be several addresses, separated by commas. */
export const createEmail: CreateService = (raw) => {
  const { insecure_skip_verify: insecure, ...options } = optionFields(raw, '');
  return {
    async send({ message, parts }, { recipient }, { mail, signal }) {
      const part = objectAt(parts, 'email');
      const to = recipient.split(',').map((one) => one.trim());
      const invalid = [options.from, ...to].find((one) => !isAddress(one));
      if (invalid !== undefined) throw new Error(`email: ${JSON.stringify(invalid)} is not a mail address`);
      const content = { subject: textAt(part, 'subject'), body: textAt(part, 'body') || message };
      await mail({ ...options, insecure, to, ...content }, signal);
    },
  };
};
