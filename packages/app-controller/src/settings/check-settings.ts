import {
  closestKey,
  findSetting,
  type Setting,
  type SettingRole,
  type SettingSource,
  secretTypeLabel,
  settingTable,
} from '@fairlead/api/settings';
import { isJsonObject } from '@fairlead/apimachinery';
import { isDefault, valueProblem } from './setting-values.ts';

/** A ConfigMap or Secret with settings. */
export interface SettingObject {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** As text, also of a Secret. */
  readonly data: Readonly<Record<string, string>>;
}

/**
 * - `unknown`: neither Argo CD nor Fairlead has the key
 * - `invalid`: the value is not of the type of the key
 * - `not supported`: the key has no effect here
 * - `different`: the key has another meaning here
 */
export type SettingFindingKind = 'unknown' | 'invalid' | 'not supported' | 'different';

export interface SettingFinding {
  readonly kind: SettingFindingKind;
  /** `ConfigMap argocd-cm` */
  readonly object: string;
  readonly key: string;
  /** What is wrong, and what to do. */
  readonly message: string;
  /** The role that reports it in its log. */
  readonly role: SettingRole;
}

/** Whether a finding is something to correct. A key with another meaning is only worth knowing. */
export const isProblem = ({ kind }: SettingFinding): boolean => kind !== 'different';

/** The part of the table that is about an object; undefined if the object has no settings. */
export const settingSourceOf = ({ kind, name, labels }: Omit<SettingObject, 'data'>): SettingSource | undefined =>
  settingTable.find(
    (source) =>
      source.kind === kind &&
      (source.types === undefined ? source.name === name : source.types.includes(labels[secretTypeLabel] ?? '')),
  );

/** Compares the keys and values of an object with the table. Values are never part of a message about a Secret. */
export function checkSettings(object: SettingObject): SettingFinding[] {
  const source = settingSourceOf(object);
  if (source === undefined) return [];
  return Object.entries(withFields(source, object.data)).flatMap(([key, text]) => checkKey(source, object, key, text));
}

function checkKey(source: SettingSource, { kind, name }: SettingObject, key: string, text: string): SettingFinding[] {
  const object = `${kind} ${name}`;
  const setting = findSetting(source.settings, key);
  const found = setting === undefined ? unknownKey(source, key) : knownKey(source, setting, text);
  return found === undefined ? [] : [{ object, key, role: setting?.roles[0] ?? source.reportedBy, ...found }];
}

type Found = Pick<SettingFinding, 'kind' | 'message'>;

function unknownKey({ settings, open }: SettingSource, key: string): Found | undefined {
  const near = closestKey(settings, key);
  if (open && near === undefined) return undefined;
  return {
    kind: 'unknown',
    message: near === undefined ? 'is not a setting' : `is not a setting: did you mean ${near}?`,
  };
}

function knownKey({ kind }: SettingSource, setting: Setting, text: string): Found | undefined {
  if (setting.status === 'not supported') {
    return isDefault(setting, text) ? undefined : { kind: 'not supported', message: setting.note };
  }
  const problem = valueProblem(setting, text);
  if (problem !== undefined) {
    return { kind: 'invalid', message: kind === 'Secret' ? `the value is not of type ${setting.type}` : problem };
  }
  return setting.status === 'different' && !isDefault(setting, text)
    ? { kind: 'different', message: setting.note }
    : undefined;
}

/** The data, with the fields of the JSON in `config` as keys `config.x`, where the table has such keys. */
function withFields(
  { settings }: SettingSource,
  data: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (!('config.bearerToken' in settings) || data['config'] === undefined) return data;
  const config = parsedJson(data['config']);
  if (!isJsonObject(config)) return data;
  const fields = Object.entries(config).map(([field, value]) => [
    `config.${field}`,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return { ...data, ...Object.fromEntries(fields) };
}

/** Undefined for invalid JSON, which is reported as the value of its key. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
