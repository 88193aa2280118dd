import { isObject, type Json, type JsonObject, textAt, toJson } from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';
import { bool, list, mapOf, optional, struct, text } from './decode.ts';

/** The forms of the first releases: `config.yaml` in the ConfigMap and `notifiers.yaml` in the Secret. */
const configFields = struct({
  triggers: list(struct({ name: text, condition: text, description: text, template: text, enabled: optional(bool) })),
  templates: list((value): JsonObject => (isObject(value) ? value : {})),
  context: mapOf(text),
  subscriptions: (value): Json => toJson(value),
});
const notifierFields = struct({
  email: toJson,
  slack: toJson,
  opsgenie: toJson,
  grafana: toJson,
  webhook: list((value): JsonObject => (isObject(value) ? value : {})),
});

export interface LegacyServices {
  readonly name: string;
  readonly type: string;
  readonly options: Json;
}

/** Throws if the text is not YAML of that form. */
export function readNotifiers(yaml: string): LegacyServices[] {
  const { webhook, ...others } = notifierFields(readYaml(yaml), '');
  const named = Object.entries(others).flatMap(([type, options]) =>
    options === null ? [] : [{ name: type, type, options }],
  );
  return [...named, ...webhook.map((options) => ({ name: textAt(options, 'name'), type: 'webhook', options }))];
}

export interface RawParts {
  readonly triggers: Map<string, Json>;
  readonly templates: Map<string, Json>;
  readonly context: Record<string, string>;
  readonly defaultTriggers: string[];
  subscriptions: Json;
}

/** Adds the content of `config.yaml`. Throws if it is invalid. */
export function mergeLegacyConfig(yaml: string, into: RawParts): void {
  const legacy = configFields(readYaml(yaml), '');
  Object.assign(into.context, legacy.context);
  if (Array.isArray(legacy.subscriptions)) into.subscriptions = legacy.subscriptions;
  for (const { name: nameField, subject, body, ...template } of legacy.templates) {
    const name = text(nameField, 'name');
    into.templates.set(name, {
      ...template,
      ...(subject ? { email: { ...(isObject(template.email) ? template.email : {}), subject } } : {}),
      ...(body ? { message: body } : {}),
    });
  }
  for (const { name, condition, description, template, enabled } of legacy.triggers) {
    if (enabled) into.defaultTriggers.push(name);
    const known = into.triggers.get(name);
    const [first, ...rest] = Array.isArray(known) ? known : [];
    const changed = {
      ...(isObject(first) ? first : {}),
      ...(condition === '' ? {} : { when: condition }),
      ...(template === '' ? {} : { send: [template] }),
      ...(description === '' ? {} : { description }),
    };
    into.triggers.set(name, [changed, ...rest]);
  }
}
