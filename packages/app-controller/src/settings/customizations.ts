import { settingTable } from '@fairlead/api/settings';
import { isJsonObject, messageOf, toJson } from '@fairlead/apimachinery';
import {
  type CustomActions,
  type HealthScript,
  type IgnoreRule,
  type KnownTypeField,
  readCustomActions,
} from '@fairlead/engine';
import { globProblem } from '../glob.ts';
import type { SettingsReader } from './settings-reader.ts';

/** The content of `resource.customizations…`, by kind. */
export interface Customizations {
  readonly healthScripts: readonly HealthScript[];
  readonly ignoreDifferences: readonly IgnoreRule[];
  readonly ignoreUpdates: readonly IgnoreRule[];
  readonly knownTypeFields: ReadonlyMap<string, readonly KnownTypeField[]>;
  /** Resource actions, by `group/Kind`, or `Kind` in the core group. */
  readonly actions: ReadonlyMap<string, CustomActions>;
}

interface KindParts {
  script?: string;
  openLibs?: boolean;
  ignoreDifferences?: unknown;
  ignoreUpdates?: unknown;
  knownTypeFields?: unknown;
  actions?: unknown;
  /** Its key in `argocd-cm`. */
  key: string;
}

const prefix = 'resource.customizations.';

/** The parts of `resource.customizations.<part>.<kind>`. */
const customizationParts: readonly string[] = settingTable
  .flatMap(({ settings }) => Object.keys(settings))
  .flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length, -'.*'.length)] : []));

/** One key with everything (`resource.customizations`), or a key per field and kind, which takes precedence. */
export function readCustomizations(settings: SettingsReader): Customizations {
  const kinds = new Map<string, KindParts>();
  const of = (kind: string, key: string): KindParts => {
    const known = kinds.get(kind) ?? { key };
    kinds.set(kind, known);
    return known;
  };
  readLegacy(settings, of);
  for (const key of settings.keys(prefix)) readPart(settings, key, of);
  return collected(settings, kinds);
}

function readLegacy(settings: SettingsReader, of: (kind: string, key: string) => KindParts): void {
  const key = 'resource.customizations';
  for (const [kind, value] of Object.entries(settings.map(key) ?? {})) {
    if (!isJsonObject(value)) {
      settings.problem(
        key,
        `${kind} must be a map with health.lua, actions, ignoreDifferences, ignoreResourceUpdates or knownTypeFields`,
      );
      continue;
    }
    const unreadable = globProblem(kind);
    if (unreadable !== undefined) {
      settings.problem(key, `${unreadable}: the entry is ignored`);
      continue;
    }
    const parts = of(kind, `${key} for ${kind}`);
    if (typeof value['health.lua'] === 'string') parts.script = value['health.lua'];
    parts.openLibs = value['health.lua.useOpenLibs'] === true;
    // Inside this key the values are strings that contain YAML.
    parts.ignoreDifferences = settings.yamlIn(key, value['ignoreDifferences']);
    parts.ignoreUpdates = settings.yamlIn(key, value['ignoreResourceUpdates']);
    parts.knownTypeFields = settings.yamlIn(key, value['knownTypeFields']);
    parts.actions = settings.yamlIn(key, value['actions']);
  }
}

function readPart(settings: SettingsReader, key: string, of: (kind: string, key: string) => KindParts): void {
  const [part = '', ...rest] = key.slice(prefix.length).split('.');
  const name = rest.join('.');
  const kind = kindOf(name);
  if (kind === undefined) {
    settings.problem(key, 'must end with group_Kind, Kind or all');
    return;
  }
  if (!customizationParts.includes(part)) {
    settings.problem(key, `'${part}' must be one of ${customizationParts.join(', ')}`);
    return;
  }
  const parts = of(kind, key);
  switch (part) {
    case 'health':
      parts.script = settings.text(`${prefix}${part}.${name}`);
      parts.key = key;
      break;
    case 'useOpenLibs':
      parts.openLibs = settings.flag(`${prefix}${part}.${name}`) ?? false;
      break;
    case 'ignoreDifferences':
      parts.ignoreDifferences = settings.yaml(`${prefix}${part}.${name}`);
      break;
    case 'ignoreResourceUpdates':
      parts.ignoreUpdates = settings.yaml(`${prefix}${part}.${name}`);
      break;
    case 'knownTypeFields':
      parts.knownTypeFields = settings.yaml(`${prefix}${part}.${name}`);
      break;
    case 'actions':
      parts.actions = settings.yaml(`${prefix}${part}.${name}`);
      break;
  }
}

/** `argoproj.io_Rollout` → `argoproj.io/Rollout`, `ConfigMap` as it is, `all` → every kind. */
function kindOf(text: string): string | undefined {
  if (text === 'all') return '*/*';
  const parts = text.split('_');
  if (text === '' || parts.length > 2) return undefined;
  return parts.length === 2 && parts[0] !== '' ? parts.join('/') : parts.at(-1);
}

function collected(settings: SettingsReader, kinds: ReadonlyMap<string, KindParts>): Customizations {
  const healthScripts: HealthScript[] = [];
  const ignoreDifferences: IgnoreRule[] = [];
  const ignoreUpdates: IgnoreRule[] = [];
  const knownTypeFields = new Map<string, readonly KnownTypeField[]>();
  const actions = new Map<string, CustomActions>();
  for (const [kinds_, parts] of kinds) {
    const [group, kind] = kinds_.includes('/') ? splitLast(kinds_) : ['', kinds_];
    if (parts.script) {
      healthScripts.push({ kinds: kinds_, source: parts.script, openLibs: parts.openLibs ?? false, name: parts.key });
    }
    const differences = ruleOf(settings, parts.key, parts.ignoreDifferences);
    if (differences) ignoreDifferences.push({ group, kind, ...differences });
    const updates = ruleOf(settings, parts.key, parts.ignoreUpdates);
    if (updates) ignoreUpdates.push({ group, kind, ...updates });
    const fields = fieldsOf(settings, parts.key, parts.knownTypeFields);
    if (fields.length > 0) knownTypeFields.set(`${group}/${kind}`, fields);
    const custom = actionsOf(settings, parts.key, parts.actions);
    if (custom) actions.set(kinds_, custom);
  }
  // An exact kind takes precedence over a pattern.
  healthScripts.sort(
    (a, b) => Number(a.kinds.includes('*')) - Number(b.kinds.includes('*')) || (a.kinds < b.kinds ? -1 : 1),
  );
  return { healthScripts, ignoreDifferences, ignoreUpdates, knownTypeFields, actions };
}

const splitLast = (text: string): [string, string] => {
  const slash = text.lastIndexOf('/');
  return [text.slice(0, slash), text.slice(slash + 1)];
};

function ruleOf(settings: SettingsReader, key: string, value: unknown): Omit<IgnoreRule, 'kind'> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) {
    settings.cannotRead(key, 'must be a map with jsonPointers, jqPathExpressions or managedFieldsManagers');
    return undefined;
  }
  const texts = (name: string): readonly string[] => {
    const list: unknown = value[name] ?? [];
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
    settings.problem(key, `${name} must be a list of strings`);
    return [];
  };
  return {
    jsonPointers: texts('jsonPointers'),
    jqPathExpressions: texts('jqPathExpressions'),
    managedFieldsManagers: texts('managedFieldsManagers'),
  };
}

function fieldsOf(settings: SettingsReader, key: string, value: unknown): KnownTypeField[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [];
  const good = list.filter(
    (item): item is KnownTypeField => typeof item?.field === 'string' && typeof item?.type === 'string',
  );
  if (!Array.isArray(value) || good.length < list.length)
    settings.problem(key, 'must be a list of entries with field and type');
  return good;
}

function actionsOf(settings: SettingsReader, key: string, value: unknown): CustomActions | undefined {
  if (value === undefined || value === null) return undefined;
  try {
    return readCustomActions(toJson(value));
  } catch (error) {
    settings.problem(key, messageOf(error));
    return undefined;
  }
}
