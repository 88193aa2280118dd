import type { Json, JsonObject } from '@fairlead/apimachinery';
import type { GoMap } from '@fairlead/render/go-template';
import { bool, type Decoder, list, mapOf, strictText, struct, text } from '../config/decode.ts';
import { alertmanagerPart } from './alertmanager-part.ts';
import type { CompileText, Render } from './compile-text.ts';
import { githubPart } from './github-part.ts';
import type { CompilePart } from './part.ts';
import { type TextPart, textParts } from './part-table.ts';

const baseName = (field: string): string => field.replace(/\?$/u, '');

function textPart(key: string, { fields, keep = false, defaults = {} }: TextPart): CompilePart {
  const decode = struct(Object.fromEntries(fields.map((field) => [baseName(field), text])));
  return (raw, compile) => {
    const given = decode(raw, key);
    const renders = fields.map((field) => {
      const name = baseName(field);
      return { name, omitEmpty: field.endsWith('?'), render: compile(given[name] || (defaults[name] ?? '')) };
    });
    return (notification, variables) => {
      const before = notification.parts[key] ?? {};
      const part: JsonObject = {};
      for (const { name, omitEmpty, render } of renders) {
        const rendered = render(variables);
        const value = keep && rendered === '' ? (before[name] ?? '') : rendered;
        if (!omitEmpty || value !== '') part[name] = value;
      }
      notification.parts[key] = part;
    };
  };
}

const policies = ['Post', 'PostAndUpdate', 'Update'];
const slackTexts = ['username', 'icon', 'attachments', 'blocks', 'groupingKey'] as const;
const slackFields = struct({
  username: text,
  icon: text,
  attachments: text,
  blocks: text,
  groupingKey: text,
  notifyBroadcast: bool,
  deliveryPolicy: strictText,
});

const slackPart: CompilePart = (raw, compile) => {
  const given = slackFields(raw, 'slack');
  const renders = slackTexts.map((name) => ({ name, render: compile(given[name]) }));
  const deliveryPolicy = policies.includes(given.deliveryPolicy) ? given.deliveryPolicy : 'Post';
  return (notification, variables) => {
    const part: JsonObject = {};
    for (const { name, render } of renders) {
      const value = render(variables);
      if (value !== '' || name === 'groupingKey') part[name] = value;
    }
    notification.parts.slack = { ...part, notifyBroadcast: given.notifyBroadcast, deliveryPolicy };
  };
};

const webhookFields = mapOf(struct({ method: text, body: text, path: text }));

const webhookPart: CompilePart = (raw, compile, templateName) => {
  const webhooks = Object.entries(webhookFields(raw, 'webhook')).map(([service, { method, body, path }]) => ({
    service,
    method,
    body: compile(body, templateName + service),
    path: compile(path, templateName + service),
  }));
  return (notification, variables) => {
    for (const { service, method, body, path } of webhooks) {
      const rendered = { method, body: body(variables), path: path(variables) };
      notification.parts.webhook = { ...notification.parts.webhook, [service]: rendered };
    }
  };
};

const opsgenieTexts = ['description', 'priority', 'alias', 'note', 'entity', 'user'] as const;
const responder = struct({ type: text, name: text, id: text, username: text });
const opsgenieFields = struct({
  description: text,
  priority: text,
  alias: text,
  note: text,
  entity: text,
  user: text,
  actions: list(text),
  tags: list(text),
  details: mapOf(text),
  visibleTo: list(responder),
});

/** Renders every text of a list or a map. */
const each = <T extends string[] | Record<string, string>>(
  texts: T,
  compile: CompileText,
): ((variables: GoMap) => Json) => {
  const renders = Object.entries(texts).map(([key, value]): [string, Render] => [key, compile(value)]);
  return (variables) => {
    const rendered = renders.map(([key, render]): [string, string] => [key, render(variables)]);
    return Array.isArray(texts) ? rendered.map(([, value]) => value) : Object.fromEntries(rendered);
  };
};

const opsgeniePart: CompilePart = (raw, compile) => {
  const given = opsgenieFields(raw, 'opsgenie');
  const renders = opsgenieTexts.map((name) => ({ name, render: compile(given[name]) }));
  const collections = {
    actions: given.actions.length > 0 ? each(given.actions, compile) : undefined,
    tags: given.tags.length > 0 ? each(given.tags, compile) : undefined,
    details: Object.keys(given.details).length > 0 ? each(given.details, compile) : undefined,
  };
  const visibleTo = given.visibleTo.map((one) => each({ ...one }, compile));
  return (notification, variables) => {
    const part: JsonObject = {};
    for (const { name, render } of renders) {
      const value = render(variables);
      if (value !== '' || name === 'description') part[name] = value;
    }
    for (const [name, render] of Object.entries(collections)) if (render) part[name] = render(variables);
    if (visibleTo.length > 0) part.visibleTo = visibleTo.map((render) => responderJson(render(variables)));
    notification.parts.opsgenie = part;
  };
};

/** A responder as the API takes it: the user name is always there, other fields only if they are set. */
export function responderJson(value: Json): Json {
  const entries = Object.entries(value ?? {}).filter(([key, one]) => one !== '' || key === 'username');
  return Object.fromEntries(entries);
}

/** A part with a map of texts, each of which is a template. */
function mapPart(key: string, field: string, extra: readonly string[] = []): CompilePart {
  const decode: Decoder<Record<string, unknown>> = struct({
    [field]: mapOf(text),
    ...Object.fromEntries(extra.map((name) => [name, text])),
  });
  return (raw, compile) => {
    const given = decode(raw, key);
    const texts = mapOf(text)(given[field], field);
    const render = each(texts, compile);
    const renders = extra.map((name) => ({ name, render: compile(text(given[name], name)) }));
    return (notification, variables) => {
      const part: JsonObject = { ...notification.parts[key] };
      if (Object.keys(texts).length > 0) part[field] = render(variables);
      else if (key === 'awssqs') part[field] ??= null;
      for (const one of renders) {
        const value = one.render(variables);
        if (value !== '') part[one.name] = value;
      }
      notification.parts[key] = part;
    };
  };
}

/** What templates may say for single services, by key. */
export const partCompilers: Readonly<Record<string, CompilePart>> = {
  ...Object.fromEntries(Object.entries(textParts).map(([key, part]) => [key, textPart(key, part)])),
  slack: slackPart,
  webhook: webhookPart,
  opsgenie: opsgeniePart,
  github: githubPart,
  alertmanager: alertmanagerPart,
  awssqs: mapPart('awssqs', 'messageAttributes', ['messageGroupId']),
  gcppubsub: mapPart('gcppubsub', 'attributes'),
};
