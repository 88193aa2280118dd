import { isObject, type Json, type JsonObject } from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';

/** Fields whose JSON is YAML text, and whose protobuf is a message. */
const ignoreFields = ['ignoreDifferences', 'ignoreResourceUpdates'] as const;

/** The settings with the rules of their resource overrides as messages. */
export function withIgnoreRules(settings: JsonObject): JsonObject {
  const overrides = settings['resourceOverrides'];
  if (!isObject(overrides)) return settings;
  const changed = Object.entries(overrides).map(([kind, override]): [string, Json] => [
    kind,
    isObject(override) ? withRules(override) : override,
  ]);
  return { ...settings, resourceOverrides: Object.fromEntries(changed) };
}

function withRules(override: JsonObject): JsonObject {
  const rules = ignoreFields.flatMap((field): [string, Json][] => {
    const text = override[field];
    const read = typeof text === 'string' ? readYaml(text) : undefined;
    return isObject(read) ? [[`${field}.rules`, read]] : [];
  });
  return { ...override, ...Object.fromEntries(rules) };
}
