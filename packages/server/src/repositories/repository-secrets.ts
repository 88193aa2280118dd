import { type Json, type JsonObject, type Schema, type Secret, secretValue } from '@fairlead/apimachinery';
import { parseBool } from '../accounts/account.ts';
import { messageNamed } from '../messages/message-types.ts';
import { base64 } from '../state/server-state.ts';

/** A kind of Secret about repositories, with the names that Argo CD gives it, so that both can use one cluster. */
export interface RepositorySecretKind {
  /** The value of the label. */
  readonly type: string;
  /** What the names of Secrets begin with. */
  readonly prefix: string;
  /** The message that such a Secret stores. */
  readonly message: 'v1alpha1.Repository' | 'v1alpha1.RepoCreds';
}

export const secretKinds = {
  repository: { type: 'repository', prefix: 'repo', message: 'v1alpha1.Repository' },
  creds: { type: 'repo-creds', prefix: 'creds', message: 'v1alpha1.RepoCreds' },
  writeRepository: { type: 'repository-write', prefix: 'repo-write', message: 'v1alpha1.Repository' },
  writeCreds: { type: 'repo-write-creds', prefix: 'creds-write', message: 'v1alpha1.RepoCreds' },
} as const satisfies Record<string, RepositorySecretKind>;

/** Keys that are not named after their field. */
const keys: Readonly<Record<RepositorySecretKind['message'], Readonly<Record<string, string>>>> = {
  'v1alpha1.Repository': { repo: 'url' },
  'v1alpha1.RepoCreds': {
    azureServicePrincipalClientId: 'azureServicePrincipalClientID',
    azureServicePrincipalTenantId: 'azureServicePrincipalTenantID',
  },
};

const notStored: ReadonlySet<string> = new Set(['connectionState', 'inheritedCreds']);

function* storedFields({ message }: RepositorySecretKind): Generator<[field: string, key: string, schema: Schema]> {
  for (const [field, { schema }] of messageNamed(message).fields)
    if (!notStored.has(field)) yield [field, keys[message][field] ?? field, schema];
}

/** The data of a Secret after it stores a message. A key that exists stays, also if its value is empty now. */
export function secretData(
  kind: RepositorySecretKind,
  message: JsonObject,
  existing: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const data: Record<string, string> = { ...existing };
  for (const [field, key, schema] of storedFields(kind)) {
    const value = message[field] ?? emptyValue(schema);
    if (value !== emptyValue(schema) || key in existing) data[key] = base64(String(value));
  }
  return data;
}

const emptyValue = ({ type }: Schema): Json => (type === 'boolean' ? false : type === 'int64' ? 0 : '');

export interface StoredMessage {
  readonly message: JsonObject;
  /** Why a value of the Secret has no effect. */
  readonly problem?: string;
}

/** The message that a Secret stores. Fields without a value are left out. */
export function readMessage(kind: RepositorySecretKind, secret: Secret): StoredMessage {
  const message: JsonObject = {};
  const problems: string[] = [];
  for (const [field, key, schema] of storedFields(kind)) {
    const text = secretValue(secret, key) ?? '';
    if (text === '') continue;
    const value = parsedValue(text, schema);
    if (value === undefined) problems.push(`${key} of Secret ${secret.metadata.name ?? ''} is not a ${schema.type}`);
    else if (value !== emptyValue(schema)) message[field] = value;
  }
  return { message, ...(problems.length > 0 ? { problem: problems.join('; ') } : {}) };
}

function parsedValue(text: string, { type }: Schema): Json | undefined {
  if (type === 'boolean') return parseBool(text);
  if (type === 'int64') return /^[+-]?\d{1,15}$/u.test(text) ? Number(text) : undefined;
  return text;
}

/** The name of a Secret that stores a URL, for all projects or for one. */
export const secretName = ({ prefix }: RepositorySecretKind, url: string, project = ''): string =>
  `${prefix}-${fnv32a(url + project)}`;

/** The hash that Argo CD names Secrets by. */
export function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
