import { messageOf, objectAt, textAt } from '@fairlead/apimachinery';
import { integer, list, optional, struct, text } from '../config/decode.ts';
import { jsonRequest } from '../http/http-message.ts';
import { type CreateService, deliver, transportOptions, withInsecure } from './service.ts';
import { basicAuthorization } from './webhook.ts';

const grafanaOptions = struct({ apiUrl: text, apiKey: text, ...transportOptions });

/** Annotations of Grafana; the recipient is a list of tags, separated by `|`. */
export const createGrafana: CreateService = (raw) => {
  const { apiUrl, apiKey, insecureSkipVerify } = grafanaOptions(raw, '');
  return {
    async send({ message }, { recipient }, context) {
      if (message === '') context.log.warn('the message of an annotation for Grafana is empty');
      const time = Math.floor(context.clock.now() / 1000) * 1000;
      const annotation = { time, isRegion: false, tags: recipient.split('|'), text: message };
      const url = `${apiUrl.replace(/\/+$/u, '')}/annotations`;
      const request = jsonRequest(url, annotation, { Authorization: `Bearer ${apiKey}` });
      await deliver(withInsecure(request, insecureSkipVerify), context, (status) => status === 200);
    },
  };
};

const alertmanagerOptions = struct({
  targets: list(text),
  scheme: text,
  apiPath: text,
  basicAuth: optional(struct({ username: text, password: text })),
  bearerToken: text,
  timeout: integer,
  ...transportOptions,
});

/** Alertmanager: an alert is delivered if one of the targets accepts it. */
export const createAlertmanager: CreateService = (raw) => {
  const options = alertmanagerOptions(raw, '');
  const { basicAuth, bearerToken, insecureSkipVerify } = options;
  const targets = options.targets.length > 0 ? options.targets : ['127.0.0.1:9093'];
  const headers: Record<string, string> = basicAuth
    ? { Authorization: basicAuthorization(basicAuth) }
    : bearerToken === ''
      ? {}
      : { Authorization: `Bearer ${bearerToken}` };
  return {
    async send({ parts }, _, context) {
      const alert = objectAt(parts, 'alertmanager');
      if (!alert) throw new Error('the template has no part alertmanager');
      const sent = await Promise.allSettled(
        targets.map((target) => {
          const url = `${options.scheme || 'http'}://${target}${options.apiPath || '/api/v2/alerts'}`;
          const request = withInsecure(jsonRequest(url, [alert], headers), insecureSkipVerify);
          return deliver(request, context, (status) => status === 200);
        }),
      );
      const failures = sent.flatMap((one) => (one.status === 'rejected' ? [messageOf(one.reason)] : []));
      if (failures.length === targets.length)
        throw new Error(`no Alertmanager accepted the alert: ${failures.join('; ')}`);
      for (const failure of failures) context.log.warn('an Alertmanager did not accept an alert', { failure });
    },
  };
};

const newrelicOptions = struct({ apiKey: text, apiURL: text, ...transportOptions });

/** Deployment markers of New Relic; the recipient is the id of the application there. */
export const createNewrelic: CreateService = (raw) => {
  const { apiKey, apiURL, insecureSkipVerify } = newrelicOptions(raw, '');
  return {
    async send({ message, parts }, { recipient }, context) {
      const part = objectAt(parts, 'newrelic');
      if (apiKey === '') throw new Error('newrelic: apiKey is missing');
      if (!part) throw new Error('the template has no part newrelic');
      const description = textAt(part, 'description') || message;
      const base = (apiURL || 'https://api.newrelic.com').replace(/\/$/u, '');
      const deployment = { ...part, ...(description === '' ? {} : { description }) };
      const url = `${base}/v2/applications/${recipient}/deployments.json`;
      const request = jsonRequest(url, { deployment }, { 'X-Api-Key': apiKey });
      await deliver(withInsecure(request, insecureSkipVerify), context);
    },
  };
};
