import { isJsonObject, type Json, type JsonObject } from '@fairlead/apimachinery';
import { jsonOf } from '../http/http-message.ts';

/** A list in JSON that a template has written. */
export function listOf(text: string, what: string): Json[] {
  if (text === '') return [];
  const value = jsonOf(text);
  if (!Array.isArray(value)) throw new Error(`${what} must be a list in JSON, not ${text.slice(0, 200)}`);
  return value;
}

const objectsOf = (text: string, what: string): JsonObject[] =>
  listOf(text, what).map((item) => {
    if (!isJsonObject(item)) throw new Error(`every item of ${what} must be an object: ${JSON.stringify(item)}`);
    return item;
  });

/** Attachments, in which Slack expects `blocks` and the field `short`. */
export const slackAttachments = (text: string): Json[] =>
  objectsOf(text, 'slack.attachments').map((attachment) => ({
    ...attachment,
    ...(Array.isArray(attachment.fields) ? { fields: attachment.fields.map(fieldOf) } : {}),
    blocks: attachment.blocks ?? null,
  }));

const fieldOf = (field: Json): Json => (isJsonObject(field) ? { ...field, short: field.short ?? false } : field);

export const slackBlocks = (text: string): Json[] => objectsOf(text, 'slack.blocks');
