import { decodeTyped, isObject, type Json, type ObjectSchema, type Schema, toJson } from '@fairlead/apimachinery';
import { messageNamed } from '../messages/message-types.ts';

/** Why an object that exists is not replaced: the fields in which the two specs differ, as Go names and orders them. */
export const specDifference = (entity: string, type: string, existing: unknown, given: unknown): string =>
  describeDifference(entity, differentFields(type, existing, given));

/** The fields in which two messages differ. */
export function differentFields(type: string, existing: unknown, given: unknown): string[] {
  const schema = messageNamed(type);
  const [one, other] = [existing, given].map((spec) => typed(spec, schema));
  return differentPaths(one, other, schema, []).flat();
}

export function describeDifference(entity: string, keys: readonly string[]): string {
  const message = `existing ${entity} spec is different; use upsert flag to force update`;
  return keys.length === 0 ? message : `${message}; difference in keys ${JSON.stringify(keys.join(','))}`;
}

function typed(spec: unknown, schema: ObjectSchema): Json {
  const value = toJson(spec);
  return isObject(value) ? decodeTyped(value, schema).object : {};
}

function differentPaths(
  one: Json | undefined,
  other: Json | undefined,
  schema: Schema | undefined,
  path: readonly string[],
): string[][] {
  if (schema?.type === 'object') {
    const [a, b] = [isObject(one) ? one : {}, isObject(other) ? other : {}];
    return [...schema.fields].flatMap(([name, field]) => {
      const at = [...path, goName(name)];
      const isMissing = field.pointer && (a[name] === undefined) !== (b[name] === undefined);
      return isMissing ? [at] : differentPaths(a[name], b[name], field.schema, at);
    });
  }
  if (schema?.type === 'list') {
    const [a, b] = [Array.isArray(one) ? one : [], Array.isArray(other) ? other : []];
    return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => i).flatMap((i) =>
      differentPaths(a[i], b[i], schema.items, [...path, String(i)]),
    );
  }
  return (one ?? '') === (other ?? '') ? [] : [[...path]];
}

/** Fields of repositories whose names in Go are not those of JSON with a capital letter. */
const goNames: Readonly<Record<string, string>> = {
  url: 'URL',
  sshPrivateKey: 'SSHPrivateKey',
  enableLfs: 'EnableLFS',
  tlsClientCertData: 'TLSClientCertData',
  tlsClientCertKey: 'TLSClientCertKey',
  githubAppID: 'GithubAppId',
  githubAppInstallationID: 'GithubAppInstallationId',
  githubAppEnterpriseBaseUrl: 'GitHubAppEnterpriseBaseURL',
  gcpServiceAccountKey: 'GCPServiceAccountKey',
};

const goName = (name: string): string => goNames[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
