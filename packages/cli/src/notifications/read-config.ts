import { readFileSync } from 'node:fs';
import {
  type ConfigMap,
  configMapType,
  find,
  isObject,
  type JsonObject,
  messageOf,
  type Secret,
  secretType,
  stringsAt,
  textAt,
  toJson,
} from '@fairlead/apimachinery';
import {
  type NotificationsConfig,
  notificationsConfigMap,
  notificationsSecret,
  parseNotificationsConfig,
  secretBytes,
} from '@fairlead/app-controller/notifications';
import { readYamlDocuments } from '@fairlead/render/go-yaml';
import { onCluster } from '../applications/cluster/on-cluster.ts';
import { CliError } from '../cli-error.ts';
import type { Call } from '../command-line/command.ts';
import type { notificationsService } from '../command-line/specs/notifications.ts';
import { controlPlaneNamespace } from '../install.ts';

export type ConfigCall = Pick<Call<typeof notificationsService.flags>, 'flags' | 'environment' | 'terminal'>;

export const namespaceOf = ({ flags }: ConfigCall): string => flags.namespace ?? controlPlaneNamespace;

/** The configuration, from files or from a cluster. Its problems are printed. */
export async function readConfig(call: ConfigCall): Promise<NotificationsConfig> {
  const data = await configMapData(call);
  const secrets = await secretData(call);
  const config = parseNotificationsConfig({ data, secrets, now: () => Date.now() });
  for (const problem of config.problems) call.terminal.writeError(`invalid: ${problem}`);
  for (const warning of config.warnings) call.terminal.writeError(`warning: ${warning}`);
  return config;
}

async function configMapData(call: ConfigCall): Promise<Readonly<Record<string, string>>> {
  const { 'config-map': file } = call.flags;
  if (file !== undefined) return stringsAt(objectIn(file, 'ConfigMap', notificationsConfigMap), 'data');
  const key = { namespace: namespaceOf(call), name: notificationsConfigMap };
  return (await onCluster(call, (client) => find(client.get<ConfigMap>(configMapType, key))))?.data ?? {};
}

async function secretData(call: ConfigCall): Promise<ReadonlyMap<string, Buffer>> {
  const { secret: file } = call.flags;
  if (file === ':empty') return new Map();
  if (file === undefined) {
    const key = { namespace: namespaceOf(call), name: notificationsSecret };
    return secretBytes(await onCluster(call, (client) => find(client.get<Secret>(secretType, key))));
  }
  const secret = objectIn(file, 'Secret', notificationsSecret);
  const plain = Object.entries(stringsAt(secret, 'stringData')).map(([key, text]) => [key, Buffer.from(text)] as const);
  return new Map([...secretBytes({ data: stringsAt(secret, 'data') }), ...plain]);
}

function objectIn(file: string, kind: string, name: string): JsonObject {
  const found = readObjects(file).find((one) => one.kind === kind && textAt(one, 'metadata', 'name') === name);
  if (!found) throw new CliError(`${file} has no ${kind} ${name}`);
  return found;
}

/** The objects of a file; `-` is standard input. */
export function readObjects(file: string): JsonObject[] {
  try {
    return readYamlDocuments(readFileSync(file === '-' ? 0 : file, 'utf8'))
      .map(toJson)
      .filter(isObject);
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${messageOf(error)}`);
  }
}
