import { isObject, type Json, type JsonObject } from '@fairlead/apimachinery';
import { readYaml, writeYaml } from '@fairlead/render/go-yaml';

type Settings = Readonly<Record<string, string>>;

const prefix = 'resource.customizations';

/** Fields that ignore rules have, whether they are set or not. */
const ignoreFields = ['jqPathExpressions', 'jsonPointers', 'managedFieldsManagers'];

/** The customizations of resources in `argocd-cm`, by `GROUP/KIND`, as clients see them. */
export function resourceOverrides(settings: Settings): JsonObject {
  const overrides = new Map<string, JsonObject>([['*/*', { ignoreDifferences: { jsonPointers: ['/status'] } }]]);
  const change = (kind: string, values: JsonObject): void => {
    overrides.set(kind, { ...overrides.get(kind), ...values });
  };
  const whole = readOrNull(settings[prefix]);
  if (isObject(whole)) {
    for (const [kind, values] of Object.entries(whole)) if (isObject(values)) change(kind, values);
  }
  for (const [key, text] of Object.entries(settings)) {
    const [, field = '', name = ''] = /^resource\.customizations\.(\w+)\.(.+)$/u.exec(key) ?? [];
    if (field === '') continue;
    const kind = name === 'all' ? '*/*' : name.replace('_', '/');
    if (field === 'health') change(kind, { 'health.lua': text });
    else if (field === 'useOpenLibs') change(kind, { 'health.lua.useOpenLibs': text === 'true' });
    else if (field === 'actions') change(kind, { actions: text });
    else if (field === 'knownTypeFields') change(kind, { knownTypeFields: readOrNull(text) });
    else if (field === 'ignoreDifferences' || field === 'ignoreResourceUpdates') {
      const before = overrides.get(kind)?.[field];
      const read = readOrNull(text);
      change(kind, { [field]: { ...(isObject(before) ? before : {}), ...(isObject(read) ? read : {}) } });
    }
  }
  return Object.fromEntries(
    [...overrides].map(([kind, values]) => [
      kind,
      {
        ...values,
        ignoreDifferences: ignoreText(values['ignoreDifferences']),
        ignoreResourceUpdates: ignoreText(values['ignoreResourceUpdates']),
      },
    ]),
  );
}

const ignoreText = (value: Json | undefined): string => {
  const rules = typeof value === 'string' ? readOrNull(value) : (value ?? null);
  return writeYaml(
    Object.fromEntries(ignoreFields.map((field) => [field, isObject(rules) ? (rules[field] ?? null) : null])),
  );
};

function readOrNull(text: string | undefined): Json {
  try {
    return JSON.parse(JSON.stringify(readYaml(text ?? '') ?? null));
  } catch {
    return null;
  }
}
