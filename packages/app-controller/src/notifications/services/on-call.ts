import { isJsonObject, listAt, objectAt, textAt } from '@fairlead/apimachinery';
import { mapOf, struct, text } from '../config/decode.ts';
import { formRequest, jsonOf, jsonRequest, shownBody } from '../http/http-message.ts';
import { type CreateService, deliver, is2xx, transportOptions, withInsecure } from './service.ts';

const keyOf = (keys: Readonly<Record<string, string>>, recipient: string, service: string): string => {
  const key = Object.hasOwn(keys, recipient) ? keys[recipient] : undefined;
  if (key === undefined) throw new Error(`${service}: no key is configured for recipient ${recipient}`);
  return key;
};

const opsgenieOptions = struct({ apiUrl: text, apiKeys: mapOf(text), ...transportOptions });

/** Alerts of Opsgenie; the recipient is a team. */
export const createOpsgenie: CreateService = (raw) => {
  const options = opsgenieOptions(raw, '');
  return {
    async send({ message, parts }, { recipient }, context) {
      const key = keyOf(options.apiKeys, recipient, 'opsgenie');
      const part = objectAt(parts, 'opsgenie');
      if (part && textAt(part, 'description') === '') throw new Error('opsgenie: the description is missing');
      if (message === '') throw new Error('opsgenie: the message is empty');
      const alert = {
        ...part,
        message,
        responders: [{ type: 'team', id: recipient, username: '' }],
        source: 'Argo CD',
      };
      const headers = { 'Content-Type': 'application/json; charset=utf-8', Authorization: `GenieKey ${key}` };
      const request = jsonRequest(`${opsgenieAddress(options.apiUrl)}/v2/alerts`, alert, headers);
      await deliver(withInsecure(request, options.insecureSkipVerify), context);
    },
  };
};

/** Plain http is for tests on this machine only, as in Opsgenie's own client. */
function opsgenieAddress(apiUrl: string): string {
  if (apiUrl === '') return 'https://api.opsgenie.com';
  if (/^https?:\/\//u.test(apiUrl)) return apiUrl.replace(/\/+$/u, '');
  return `${/^(?:127\.|localhost\b)/u.test(apiUrl) ? 'http' : 'https'}://${apiUrl}`;
}

const pagerdutyOptions = struct({ token: text, from: text, serviceId: text });

/** Incidents of PagerDuty by its first API; the recipient is a service. */
export const createPagerDuty: CreateService = (raw) => {
  const { token, from } = pagerdutyOptions(raw, '');
  return {
    async send({ parts }, { recipient }, context) {
      const part = objectAt(parts, 'pagerduty');
      if (!part) throw new Error('the template has no part pagerduty');
      const urgency = textAt(part, 'urgency');
      const body = textAt(part, 'body');
      const priority = textAt(part, 'priorityId');
      const incident = {
        type: 'incident',
        title: textAt(part, 'title'),
        service: { id: recipient, type: 'service_reference' },
        priority: { ...(priority === '' ? {} : { id: priority }), type: 'priority' },
        ...(urgency === '' ? {} : { urgency }),
        // The tab is in the requests of the original, and PagerDuty takes it.
        body: { type: 'incident_details\t', ...(body === '' ? {} : { details: body }) },
      };
      const headers = { Authorization: `Token token=${token}`, From: from };
      await deliver(jsonRequest('https://api.pagerduty.com/incidents', { incident }, headers), context);
    },
  };
};

const pagerdutyV2Options = struct({ serviceKeys: mapOf(text) });

/** Events of PagerDuty; the recipient is the name of a key. */
export const createPagerDutyV2: CreateService = (raw) => {
  const { serviceKeys } = pagerdutyV2Options(raw, '');
  return {
    async send({ parts }, { recipient }, context) {
      const routingKey = keyOf(serviceKeys, recipient, 'pagerdutyv2');
      const part = objectAt(parts, 'pagerdutyv2');
      if (!part) throw new Error('the template has no part pagerdutyv2');
      const { url, dedupKey, ...payload } = part;
      const event = {
        routing_key: routingKey,
        event_action: 'trigger',
        ...(dedupKey ? { dedup_key: dedupKey } : {}),
        client: 'ArgoCD',
        ...(url ? { client_url: url } : {}),
        payload,
      };
      await deliver(jsonRequest('https://events.pagerduty.com/v2/enqueue', event), context);
    },
  };
};

const pushoverOptions = struct({ token: text });
const pushoverKey = /^[A-Za-z0-9]{30}$/u;

export const createPushover: CreateService = (raw) => {
  const { token } = pushoverOptions(raw, '');
  return {
    async send({ message }, { recipient }, { http, signal }) {
      if (!pushoverKey.test(token)) throw new Error('pushover: the token is invalid: it has 30 letters and digits');
      if (!pushoverKey.test(recipient))
        throw new Error('pushover: the recipient is invalid: it has 30 letters and digits');
      if (message === '') throw new Error('pushover: the message is empty');
      const fields = { token, user: recipient, message, priority: '0' };
      const { status, body } = await http(formRequest('https://api.pushover.net/1/messages.json', fields), signal);
      const answer = jsonOf(body);
      if (is2xx(status) && isJsonObject(answer) && answer.status === 1) return;
      throw new Error(`pushover: ${listAt(answer, 'errors').join(', ') || `status ${status}: ${shownBody(body)}`}`);
    },
  };
};
