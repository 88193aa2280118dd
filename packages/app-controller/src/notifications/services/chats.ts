import { isJsonObject, type Json, objectAt, textAt } from '@fairlead/apimachinery';
import { struct, text } from '../config/decode.ts';
import { formRequest, jsonOf, jsonRequest, shownBody } from '../http/http-message.ts';
import { type CreateService, deliver, is2xx, type SendContext, transportOptions, withInsecure } from './service.ts';
import { isWebAddress } from './slack.ts';
import { listOf } from './slack-content.ts';

const mattermostOptions = struct({ apiURL: text, token: text, ...transportOptions });

export const createMattermost: CreateService = (raw) => {
  const options = mattermostOptions(raw, '');
  return {
    async send({ message, parts }, { recipient }, context) {
      const attachments = listOf(textAt(parts, 'mattermost', 'attachments'), 'mattermost.attachments');
      const post = { channel_id: recipient, message, props: { attachments } };
      const request = jsonRequest(`${options.apiURL}/api/v4/posts`, post, { Authorization: `Bearer ${options.token}` });
      await deliver(withInsecure(request, options.insecureSkipVerify), context);
    },
  };
};

const rocketOptions = struct({ alias: text, email: text, password: text, icon: text, avatar: text, serverUrl: text });

/** Rocket.Chat: signs in for every message, as the original does. */
export const createRocketChat: CreateService = (raw) => {
  const { alias, email, password, icon, avatar, serverUrl } = rocketOptions(raw, '');
  return {
    async send({ message, parts }, { recipient }, context) {
      const base = `${serverUrl.replace(/\/+$/u, '')}/api/v1`;
      const signIn = await deliver(formRequest(`${base}/login`, { user: email, password }), context);
      const data = objectAt(jsonOf(signIn.body), 'data');
      if (!data) throw new Error(`rocketchat: cannot sign in: ${shownBody(signIn.body)}`);
      const isNamed = /^[#@]/u.test(recipient);
      const attachments = listOf(textAt(parts, 'rocketchat', 'attachments'), 'rocketchat.attachments').map(expanded);
      const post = {
        ...(isNamed ? { channel: recipient } : { roomId: recipient }),
        ...(message === '' ? {} : { text: message }),
        ...(alias === '' ? {} : { alias }),
        ...(/^:.+:$/u.test(icon) ? { emoji: icon } : {}),
        ...(isWebAddress(avatar) ? { avatar } : {}),
        ...(attachments.length > 0 ? { attachments } : {}),
      };
      const credentials = { 'X-Auth-Token': textAt(data, 'authToken'), 'X-User-Id': textAt(data, 'userId') };
      const { body } = await deliver(jsonRequest(`${base}/chat.postMessage`, post, credentials), context);
      const answer = jsonOf(body);
      if (!isJsonObject(answer) || answer.success !== true)
        throw new Error(`rocketchat: ${textAt(answer, 'error') || shownBody(body)}`);
    },
  };
};

const expanded = (attachment: Json): Json =>
  isJsonObject(attachment) ? { collapsed: false, ...attachment } : attachment;

const webexOptions = struct({ token: text, apiURL: text, ...transportOptions });

export const createWebex: CreateService = (raw) => {
  const { token, apiURL, insecureSkipVerify } = webexOptions(raw, '');
  return {
    async send({ message }, { recipient }, context) {
      const isMail = /^\S+@\S+\.\S+$/u.test(recipient);
      const url = `${(apiURL || 'https://webexapis.com').replace(/\/$/u, '')}/v1/messages`;
      const post = {
        ...(isMail ? { toPersonEmail: recipient } : recipient === '' ? {} : { roomId: recipient }),
        ...(message === '' ? {} : { markdown: message }),
      };
      const request = jsonRequest(url, post, { Authorization: `Bearer ${token}` });
      await deliver(withInsecure(request, insecureSkipVerify), context, (status) => status === 200);
    },
  };
};

const telegramOptions = struct({ token: text });

/** Telegram: `-100…` is the id of a group, with `|thread` for a topic; anything else the name of a channel. */
export const createTelegram: CreateService = (raw) => {
  const { token } = telegramOptions(raw, '');
  return {
    async send({ message }, { recipient }, context) {
      const api = `https://api.telegram.org/bot${token}`;
      await telegramCall(`${api}/getMe`, {}, context);
      const fields = {
        ...telegramChat(recipient),
        text: message,
        parse_mode: 'Markdown',
        business_connection_id: '',
        entities: 'null',
        link_preview_options: '{}',
        reply_parameters: '{"message_id":0}',
      };
      await telegramCall(`${api}/sendMessage`, fields, context);
    },
  };
};

function telegramChat(recipient: string): Record<string, string> {
  if (!recipient.startsWith('-')) return { chat_id: `@${recipient}` };
  const [chat = '', thread] = recipient.split('|');
  for (const id of [chat, thread ?? '0'])
    if (!/^[-+]?\d+$/u.test(id)) throw new Error(`telegram: ${JSON.stringify(id)} is not the id of a chat`);
  return { chat_id: chat, ...(thread && Number(thread) !== 0 ? { message_thread_id: thread } : {}) };
}

async function telegramCall(url: string, fields: Record<string, string>, { http, signal }: SendContext): Promise<void> {
  const { status, body } = await http(formRequest(url, fields), signal);
  const answer = jsonOf(body);
  if (isJsonObject(answer) && answer.ok === true && is2xx(status)) return;
  throw new Error(`telegram: ${textAt(answer, 'description') || `status ${status}: ${shownBody(body)}`}`);
}
