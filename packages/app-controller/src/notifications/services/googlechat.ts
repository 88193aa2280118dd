import { randomUUID } from 'node:crypto';
import { isJsonObject, type Json, objectAt, textAt, toJson } from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';
import { mapOf, struct, text } from '../config/decode.ts';
import { jsonOf, jsonRequest, shownBody } from '../http/http-message.ts';
import type { Notification } from '../templates/notification.ts';
import { type CreateService, deliver, transportOptions, withInsecure } from './service.ts';
import { recipientUrl } from './teams.ts';

const optionFields = struct({ webhooks: mapOf(text), ...transportOptions });

export const createGoogleChat: CreateService = (raw) => {
  const options = optionFields(raw, '');
  return {
    async send(notification, { recipient }, context) {
      const url = recipientUrl(options.webhooks, recipient, 'googlechat');
      const threadKey = textAt(notification.parts, 'googlechat', 'threadKey');
      const request = jsonRequest(inThread(url, threadKey), messageOf(notification));
      const { body } = await deliver(withInsecure(request, options.insecureSkipVerify), context);
      const answer = jsonOf(body);
      if (!isJsonObject(answer)) throw new Error(`googlechat: the answer is not JSON: ${shownBody(body)}`);
      if (answer.error) throw new Error(`googlechat: ${textAt(answer, 'error', 'message') || shownBody(body)}`);
    },
  };
};

function inThread(url: string, threadKey: string): string {
  if (threadKey === '') return url;
  const address = new URL(url);
  address.searchParams.append('threadKey', threadKey);
  address.searchParams.append('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
  address.searchParams.sort();
  return address.href;
}

function messageOf({ message, parts }: Notification): Json {
  const part = objectAt(parts, 'googlechat');
  const cards = cardsOf(textAt(part, 'cards'), cardFields);
  const cardsV2 = cardsOf(textAt(part, 'cardsV2'), cardV2Fields);
  if (!cards && !cardsV2) return { text: message };
  return {
    text: '',
    ...(cards && cards.length > 0 ? { cards } : {}),
    ...(cardsV2 && cardsV2.length > 0 ? { cardsV2: cardsV2.map((card) => ({ card, cardId: randomUUID() })) } : {}),
  };
}

/** The API refuses a card with a field that it does not know. */
const cardFields = ['cardActions', 'header', 'name', 'sections'];
const cardV2Fields = [...cardFields, 'displayStyle', 'fixedFooter', 'peekCardHeader', 'sectionDividerStyle'];

/** Cards in YAML. Undefined if there are none. */
function cardsOf(written: string, fields: readonly string[]): Json[] | undefined {
  if (written === '') return undefined;
  const cards = toJson(readYaml(written));
  if (cards === null) return [];
  if (!Array.isArray(cards) || !cards.every(isJsonObject)) throw new Error('googlechat: cards must be a list of cards');
  return cards.map((card) => Object.fromEntries(Object.entries(card).filter(([name]) => fields.includes(name))));
}
