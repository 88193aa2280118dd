import { createAwsSqs } from './aws-sqs.ts';
import { createMattermost, createRocketChat, createTelegram, createWebex } from './chats.ts';
import { createEmail } from './email.ts';
import { createGcpPubsub } from './gcp-pubsub.ts';
import { createGitHub } from './github.ts';
import { createGoogleChat } from './googlechat.ts';
import { createAlertmanager, createGrafana, createNewrelic } from './monitoring.ts';
import { createNats } from './nats.ts';
import { createOpsgenie, createPagerDuty, createPagerDutyV2, createPushover } from './on-call.ts';
import type { CreateService, Service } from './service.ts';
import { createSlack } from './slack.ts';
import { createTeams } from './teams.ts';
import { createTeamsWorkflows } from './teams-workflows.ts';
import { createWebhook } from './webhook.ts';

/** Every type of service, by its name in the keys of the ConfigMap: `service.slack`, `service.webhook.NAME`. */
export const serviceTypes: Readonly<Record<string, CreateService>> = {
  alertmanager: createAlertmanager,
  awssqs: createAwsSqs,
  email: createEmail,
  gcppubsub: createGcpPubsub,
  github: createGitHub,
  googlechat: createGoogleChat,
  grafana: createGrafana,
  mattermost: createMattermost,
  nats: createNats,
  newrelic: createNewrelic,
  opsgenie: createOpsgenie,
  pagerduty: createPagerDuty,
  pagerdutyv2: createPagerDutyV2,
  pushover: createPushover,
  rocketchat: createRocketChat,
  slack: createSlack,
  teams: createTeams,
  'teams-workflows': createTeamsWorkflows,
  telegram: createTelegram,
  webex: createWebex,
  webhook: createWebhook,
};

/** Throws if the type is unknown or the options are invalid. */
export function createService(type: string, options: unknown): Service {
  const create = Object.hasOwn(serviceTypes, type) ? serviceTypes[type] : undefined;
  if (!create)
    throw new Error(`service type '${type}' is not supported; use one of ${Object.keys(serviceTypes).join(', ')}`);
  return create(options);
}
