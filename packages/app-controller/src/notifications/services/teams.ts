import { isJsonObject, type Json, type JsonObject, objectAt, textAt } from '@fairlead/apimachinery';
import { mapOf, struct, text } from '../config/decode.ts';
import { jsonOf, shownBody } from '../http/http-message.ts';
import type { Notification } from '../templates/notification.ts';
import { type CreateService, deliver, transportOptions } from './service.ts';

const optionFields = struct({ recipientUrls: mapOf(text), ...transportOptions });

/** Microsoft Teams by incoming webhooks, which answer `1`. */
export const createTeams: CreateService = (raw) => {
  const options = optionFields(raw, '');
  return {
    async send(notification, { recipient }, context) {
      const url = recipientUrl(options.recipientUrls, recipient, 'teams');
      const request = {
        method: 'POST',
        url,
        headers: { 'Content-Type': 'application/json' },
        body: textAt(notification.parts, 'teams', 'template') || JSON.stringify(messageCard(notification)),
        insecure: options.insecureSkipVerify,
      };
      const { body } = await deliver(request, context);
      if (body !== '1') throw new Error(`teams: the webhook refused the message: ${shownBody(body)}`);
    },
  };
};

export function recipientUrl(urls: Readonly<Record<string, string>>, recipient: string, service: string): string {
  const url = Object.hasOwn(urls, recipient) ? urls[recipient] : undefined;
  if (url === undefined) throw new Error(`${service}: no webhook is configured for recipient ${recipient}`);
  return url;
}

function messageCard({ message, parts }: Notification): JsonObject {
  const part = objectAt(parts, 'teams');
  const themeColor = textAt(part, 'themeColor');
  const sections = objectList(textAt(part, 'sections'), 'teams.sections');
  const facts = textAt(part, 'facts');
  if (facts !== '') sections.push({ facts: objectList(facts, 'teams.facts') });
  const actions = objectList(textAt(part, 'potentialAction'), 'teams.potentialAction');
  return {
    '@type': 'MessageCard',
    context: 'https://schema.org/extensions',
    title: textAt(part, 'title'),
    summary: textAt(part, 'summary'),
    text: textAt(part, 'text') || message,
    ...(themeColor === '' ? {} : { themeColor }),
    ...(actions.length > 0 ? { potentialAction: actions } : {}),
    ...(sections.length > 0 ? { sections } : {}),
  };
}

/** A list of objects in JSON that a template has written. */
export function objectList(written: string, what: string): Json[] {
  if (written === '') return [];
  const value = jsonOf(written);
  const isList = Array.isArray(value) && value.every((item) => item === null || isJsonObject(item));
  if (!isList) throw new Error(`${what} must be a list of objects in JSON: ${written.slice(0, 200)}`);
  return value;
}
