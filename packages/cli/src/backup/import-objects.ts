import {
  equalJson,
  find,
  isAlreadyExists,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  namespaceType,
  type ResourceType,
  toJson,
} from '@fairlead/apimachinery';
import { type ApiClient, Discovery, type HttpClient } from '@fairlead/kube';
import { CliError } from '../cli-error.ts';
import { backupTypes, isSetting } from './backup-kinds.ts';
import { portable } from './portable.ts';

export type ImportOutcome = 'created' | 'updated' | 'unchanged' | 'kept' | 'skipped';

export interface ImportOptions {
  readonly client: HttpClient;
  /** For objects without a namespace. */
  readonly namespace: string;
  readonly dryRun: boolean;
  /** Whether existing objects get the state of the file. */
  readonly overwrite: boolean;
  readonly report: (outcome: ImportOutcome, object: KubeObject) => void;
}

/** Creates the objects of a backup, in the order of their kinds, and updates existing ones if asked to. Nothing is deleted. */
export async function importObjects(
  objects: readonly (KubeObject & JsonObject)[],
  options: ImportOptions,
): Promise<void> {
  const { client, namespace, dryRun, report } = options;
  const typeOf = await typesOf(client);
  const namespaces = new Set<string>();
  for (const object of [...objects].sort((a, b) => orderOf(a) - orderOf(b))) {
    const type = typeOf(object);
    if (!type || (type.group === '' && !isSetting(object))) {
      report('skipped', object);
      continue;
    }
    const at = object.metadata.namespace ?? namespace;
    const desired = portable({ ...object, metadata: { ...object.metadata, namespace: at } });
    if (!dryRun && !namespaces.has(at)) await ensureNamespace(client, at);
    namespaces.add(at);
    report(await importOne(desired, type, options), desired);
  }
}

async function importOne(
  object: KubeObject & JsonObject,
  type: ResourceType,
  { client, dryRun, overwrite }: ImportOptions,
): Promise<ImportOutcome> {
  const { name, namespace } = object.metadata;
  const live = await find(client.get(type, { name, ...(namespace === undefined ? {} : { namespace }) }));
  if (!live) {
    if (!dryRun) await client.create(type, object);
    return 'created';
  }
  if (equalJson(contentOf(toJson(live)), contentOf(object))) return 'unchanged';
  if (!overwrite) return 'kept';
  const { metadata } = live;
  // The status belongs to the controller that works here.
  const { status: _, ...content } = object;
  const status = toJson(live);
  const kept = isJsonObject(status) && status['status'] !== undefined ? { status: status['status'] } : {};
  const next = { ...content, ...kept, metadata: { ...metadata, ...content.metadata } };
  if (!dryRun) await client.replace(type, next);
  return 'updated';
}

/** Everything that a user writes, without metadata other than labels, annotations and finalizers. */
function contentOf(object: Json): Json {
  if (!isJsonObject(object)) return object;
  const { metadata, status: _, operation: __, apiVersion: ___, kind: ____, ...content } = object;
  const { labels = {}, finalizers = [] } = isJsonObject(metadata) ? metadata : {};
  return { ...content, labels, finalizers };
}

const orderOf = ({ kind }: KubeObject): number => {
  const at = backupTypes.findIndex((type) => type.kind === kind);
  return at < 0 ? backupTypes.length : at;
};

async function typesOf(client: HttpClient): Promise<(object: KubeObject) => ResourceType | undefined> {
  const discovery = new Discovery(client);
  const missing: string[] = [];
  for (const { group, version, kind } of backupTypes.filter(({ group }) => group !== '')) {
    if (!(await discovery.resourceFor(`${group}/${version}`, kind))) missing.push(kind);
  }
  return (object) => {
    const type = backupTypes.find(({ kind, group }) => kind === object.kind && object.apiVersion.startsWith(group));
    if (type && missing.includes(type.kind))
      throw new CliError(`the cluster has no kind ${type.kind}: run fairlead install first`);
    return type;
  };
}

async function ensureNamespace(client: ApiClient, name: string): Promise<void> {
  if (await find(client.get(namespaceType, { name }))) return;
  try {
    await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
