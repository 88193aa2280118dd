import { at, isJsonObject, type JsonObject, objectAt, textAt } from '@fairlead/apimachinery';
import { parseRetryAfter, sleep } from '@fairlead/kube';
import { bool, list, struct, text } from '../config/decode.ts';
import { formRequest, jsonOf, shownBody } from '../http/http-message.ts';
import type { Destination, Notification } from '../templates/notification.ts';
import { type CreateService, type SendContext, transportOptions, withInsecure } from './service.ts';
import { slackAttachments, slackBlocks } from './slack-content.ts';
import { threadsOf } from './slack-threads.ts';

const optionFields = struct({
  username: text,
  icon: text,
  token: text,
  signingSecret: text,
  channels: list(text),
  apiURL: text,
  disableUnfurl: bool,
  ...transportOptions,
});
type Options = ReturnType<typeof optionFields>;
type Fields = Record<string, string>;

const maxWaits = 3;

/** Slack. Messages with the same grouping key are one thread, which is remembered while the process runs. */
export const createSlack: CreateService = (raw) => {
  const options = optionFields(raw, '');
  return { send: (notification, destination, context) => post(options, notification, destination, context) };
};

async function post(options: Options, notification: Notification, { recipient }: Destination, context: SendContext) {
  const part = objectAt(notification.parts, 'slack');
  const fields = messageFields(options, notification, part, context);
  const groupingKey = textAt(part, 'groupingKey');
  const policy = textAt(part, 'deliveryPolicy') || 'Post';
  const threads = threadsOf(options.apiURL, options.token);
  const thread = groupingKey === '' ? undefined : threads.timestampOf(recipient, groupingKey);
  if (thread !== undefined) fields.thread_ts = thread;
  if (thread === undefined || policy !== 'Update') {
    const broadcast: Fields = at(part, 'notifyBroadcast') === true ? { reply_broadcast: 'true' } : {};
    const answer = await call(options, 'chat.postMessage', { ...fields, ...broadcast, channel: recipient }, context);
    threads.remember(recipient, groupingKey, { channel: textAt(answer, 'channel'), ts: textAt(answer, 'ts') });
  }
  if (thread !== undefined && policy !== 'Post') {
    const channel = threads.channelOf(recipient);
    await call(options, 'chat.update', { ...fields, as_user: 'true', channel, ts: thread }, context);
  }
}

function messageFields(
  options: Options,
  { message }: Notification,
  part: JsonObject | undefined,
  { log }: SendContext,
): Fields {
  const username = textAt(part, 'username') || options.username;
  const icon = textAt(part, 'icon') || options.icon;
  const isEmoji = /^:.+:$/u.test(icon);
  const isUrl = isWebAddress(icon);
  if (icon !== '' && !isEmoji && !isUrl) log.warn('the icon is neither an emoji nor a URL', { icon });
  return {
    token: options.token,
    text: message,
    ...(username === '' ? {} : { username }),
    ...(isEmoji ? { icon_emoji: icon } : isUrl ? { icon_url: icon } : {}),
    ...(part
      ? {
          attachments: JSON.stringify(slackAttachments(textAt(part, 'attachments'))),
          blocks: JSON.stringify(slackBlocks(textAt(part, 'blocks'))),
        }
      : {}),
    ...(options.disableUnfurl ? { unfurl_links: 'false', unfurl_media: 'false' } : {}),
  };
}

export const isWebAddress = (text: string): boolean => /^https?:\/\/[^/]/u.test(text) && URL.canParse(text);

/** Calls a method of the API, and waits as long as it asks for. */
async function call(options: Options, method: string, fields: Fields, context: SendContext): Promise<JsonObject> {
  const base = options.apiURL || 'https://slack.com/api/';
  // The API leaves an empty text out.
  const { text: message, ...others } = fields;
  const request = withInsecure(
    formRequest(base + method, message ? { ...others, text: message } : others),
    options.insecureSkipVerify,
  );
  for (let waits = 0; ; waits++) {
    const { status, headers, body } = await context.http(request, context.signal);
    if (status === 429 && waits < maxWaits) {
      await sleep(context.clock, parseRetryAfter(headers['retry-after'], context.clock.now()) ?? 1_000, context.signal);
      continue;
    }
    const answer = jsonOf(body);
    if (status !== 200) throw new Error(`slack: ${method} failed with status ${status}: ${shownBody(body)}`);
    if (!isJsonObject(answer)) throw new Error(`slack: ${method}: the answer is not JSON: ${shownBody(body)}`);
    if (answer.ok !== true) throw new Error(`slack: ${method}: ${textAt(answer, 'error') || shownBody(body)}`);
    return answer;
  }
}
