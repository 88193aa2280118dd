import { isJsonObject, type Json, type JsonObject, listAt, objectAt, textAt, toJson } from '@fairlead/apimachinery';
import { display } from '@fairlead/render/go-template';
import { mapOf, struct, text } from '../config/decode.ts';
import { goValueOf } from '../environment/go-values.ts';
import { jsonOf, jsonRequest } from '../http/http-message.ts';
import type { Notification } from '../templates/notification.ts';
import { type CreateService, deliver, transportOptions, withInsecure } from './service.ts';
import { objectList, recipientUrl } from './teams.ts';

const optionFields = struct({ recipientUrls: mapOf(text), ...transportOptions });
const workflowUrl =
  /api\.(?:powerautomate|powerplatform)\.com|flow\.microsoft\.com|webhook\.office\.com\/workflows|\/powerautomate\//iu;

/** Microsoft Teams by workflows of Power Automate, which take adaptive cards. */
export const createTeamsWorkflows: CreateService = (raw) => {
  const options = optionFields(raw, '');
  return {
    async send(notification, { recipient }, context) {
      const url = recipientUrl(options.recipientUrls, recipient, 'teams-workflows');
      checkUrl(url, recipient);
      const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', content: cardOf(notification) };
      const request = jsonRequest(url, { type: 'message', attachments: [attachment] });
      await deliver(withInsecure(request, options.insecureSkipVerify), context);
    },
  };
};

function checkUrl(url: string, recipient: string): void {
  const refuse = (why: string): never => {
    throw new Error(`teams-workflows: the URL of recipient ${recipient} ${why}`);
  };
  if (!URL.canParse(url)) refuse('is not a URL');
  const { protocol, hostname } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname.startsWith('127.');
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) refuse('must use https');
  if (!workflowUrl.test(url)) refuse('is not that of a workflow (api.powerautomate.com, flow.microsoft.com, …)');
}

function cardOf(notification: Notification): Json {
  const part = objectAt(notification.parts, 'teams-workflows');
  const custom = textAt(part, 'adaptiveCard').trim();
  if (custom === '') return builtCard(notification, part);
  const card = jsonOf(custom);
  if (card === undefined) throw new Error('teams-workflows: adaptiveCard is not valid JSON');
  return toJson(card);
}

function builtCard({ message }: Notification, part: JsonObject | undefined): JsonObject {
  const [title, color] = [textAt(part, 'title'), textAt(part, 'themeColor')];
  const body = textAt(part, 'text') || message;
  const facts = objectList(textAt(part, 'facts'), 'teams-workflows.facts');
  const sections = objectList(textAt(part, 'sections'), 'teams-workflows.sections');
  const actions = objectList(textAt(part, 'potentialAction'), 'teams-workflows.potentialAction').flatMap(openUrl);
  const heading = {
    type: 'TextBlock',
    text: title,
    size: 'Large',
    weight: 'Bolder',
    ...(color ? { color } : {}),
    wrap: true,
  };
  return {
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      ...(title === '' ? [] : [heading]),
      ...(body === '' ? [] : [{ type: 'TextBlock', text: body, wrap: true }]),
      ...factSet(facts),
      ...sections.flatMap((section) => factSet(listAt(section, 'facts'))),
    ],
    ...(actions.length > 0 ? { actions } : {}),
  };
}

function factSet(facts: readonly Json[]): Json[] {
  const shown = facts.flatMap((fact) => {
    if (!isJsonObject(fact) || typeof fact.name !== 'string') return [];
    const { value } = fact;
    return [{ title: fact.name, value: value === undefined ? '' : display(goValueOf(value)) }];
  });
  return shown.length > 0 ? [{ type: 'FactSet', facts: shown }] : [];
}

function openUrl(action: Json): Json[] {
  const url = textAt(listAt(action, 'targets')[0], 'uri');
  const title = textAt(action, 'name');
  if (textAt(action, '@type') !== 'OpenUri' || url === '') return [];
  return [{ type: 'Action.OpenUrl', ...(title ? { title } : {}), url }];
}
