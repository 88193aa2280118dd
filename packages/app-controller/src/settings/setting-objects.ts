import { type SettingSource, secretTypeLabel } from '@fairlead/api/settings';
import {
  type ConfigMap,
  configMapType,
  find,
  isForbidden,
  type KubeObject,
  type Secret,
  secretType,
} from '@fairlead/apimachinery';
import { type ApiClient, listAll } from '@fairlead/kube';
import type { SettingObject } from './check-settings.ts';

export interface FoundSettings {
  readonly objects: readonly SettingObject[];
  /** Sources that may not be read. */
  readonly forbidden: readonly string[];
}

/** The objects of a namespace with the settings of these sources. None must exist. */
export async function findSettings(
  client: Pick<ApiClient, 'get' | 'list'>,
  namespace: string,
  sources: readonly SettingSource[],
): Promise<FoundSettings> {
  const objects: SettingObject[] = [];
  const forbidden: string[] = [];
  for (const source of sources) {
    try {
      objects.push(...(await objectsOf(client, namespace, source)));
    } catch (error) {
      if (!isForbidden(error)) throw error;
      forbidden.push(source.name);
    }
  }
  return { objects, forbidden };
}

async function objectsOf(
  client: Pick<ApiClient, 'get' | 'list'>,
  namespace: string,
  { kind, name, types }: SettingSource,
): Promise<SettingObject[]> {
  const key = { namespace, name };
  if (kind === 'ConfigMap') {
    const found = await find(client.get<ConfigMap>(configMapType, key));
    return found ? [settingObject(found, kind, found.data ?? {})] : [];
  }
  if (types === undefined) {
    const found = await find(client.get<Secret>(secretType, key));
    return found ? [settingObject(found, kind, decoded(found))] : [];
  }
  const labelSelector = `${secretTypeLabel} in (${types.join(',')})`;
  const { items } = await listAll<Secret>(client, secretType, { namespace, labelSelector });
  return items.map((secret) => settingObject(secret, kind, decoded(secret)));
}

const settingObject = (
  { metadata }: KubeObject,
  kind: SettingObject['kind'],
  data: SettingObject['data'],
): SettingObject => ({ kind, name: metadata.name ?? '', labels: metadata.labels ?? {}, data });

const decoded = ({ data = {} }: Secret): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString('utf8')]));
