import {
  isObject,
  type Json,
  type JsonObject,
  type Secret,
  secretType,
  secretValue,
  textAt,
} from '@fairlead/apimachinery';
import { messageNamed } from '../messages/message-types.ts';
import type { Calls } from '../rpc/call.ts';
import { invalidArgument, notFound, RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { base64 } from '../state/server-state.ts';
import { specDifference } from './spec-difference.ts';

const label = 'argocd.argoproj.io/secret-type';
const message = 'v1alpha1.RepoCreds';

/** Credentials of all repositories below a URL, in Secrets. Only URL, user and type are ever answered. */
export const repoCredsCalls = (server: Server): Calls => {
  const { state } = server;
  const { client, namespace } = state;
  const stored = (): Secret[] =>
    state.secrets
      .list()
      .filter(({ metadata }) => metadata.labels?.[label] === 'repo-creds')
      .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  const secretOf = (url: string): Secret | undefined => stored().find((secret) => secretValue(secret, 'url') === url);

  const put = async (creds: JsonObject, existing: Secret | undefined): Promise<void> => {
    const name = `creds-${fnv32a(textAt(creds, 'url'))}`;
    const secret: Secret = {
      ...(existing ?? {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          name,
          namespace,
          labels: { [label]: 'repo-creds' },
          annotations: { 'managed-by': 'argocd.argoproj.io' },
        },
      }),
      data: secretData(creds),
    };
    const write = existing ? client.replace(secretType, secret) : client.create(secretType, secret);
    await state.seen(state.secrets, await write);
  };

  const payload = (request: JsonObject): JsonObject => {
    const creds = request['creds'];
    if (!isObject(creds)) throw invalidArgument('missing payload in request');
    return creds;
  };

  const hydratorIsDisabled = (): never => {
    throw new RpcError('Unimplemented', 'hydrator is disabled');
  };

  return {
    'RepoCreds.ListRepositoryCredentials': (context) => ({
      items: stored().flatMap((secret) => {
        const url = secretValue(secret, 'url') ?? '';
        if (!server.allows(context, { resource: 'repositories', action: 'get', object: url })) return [];
        const [username, type] = [secretValue(secret, 'username') ?? '', secretValue(secret, 'type') ?? ''];
        return [{ url, username, type, enableOCI: secretValue(secret, 'enableOCI') === 'true' }];
      }),
    }),

    'RepoCreds.CreateRepositoryCredentials': async (context, request) => {
      const creds = payload(request);
      const url = textAt(creds, 'url');
      server.require(context, 'repositories', 'create', url);
      if (url === '') throw invalidArgument('must specify URL');
      const existing = secretOf(url);
      if (!existing) await put(creds, undefined);
      else if (!isSame(existing, creds)) {
        if (request['upsert'] !== true) {
          throw invalidArgument(specDifference('repository credentials', message, credsOf(existing), creds));
        }
        server.require(context, 'repositories', 'update', url);
        await put(creds, existing);
      }
      return { url };
    },

    'RepoCreds.UpdateRepositoryCredentials': async (context, request) => {
      const creds = payload(request);
      const url = textAt(creds, 'url');
      server.require(context, 'repositories', 'update', url);
      const existing = secretOf(url);
      if (!existing) throw notFound(`repository credentials '${url}' not found`);
      await put(creds, existing);
      return { url };
    },

    'RepoCreds.DeleteRepositoryCredentials': async (context, request) => {
      const url = decoded(textAt(request, 'url'));
      server.require(context, 'repositories', 'delete', url);
      const existing = secretOf(url);
      if (!existing) throw notFound(`repository credentials '${url}' not found`);
      const { name = '', uid } = existing.metadata;
      await client.delete(secretType, { namespace, name });
      await state.gone(state.secrets, `${namespace}/${name}`, uid);
      return {};
    },

    'RepoCreds.ListWriteRepositoryCredentials': hydratorIsDisabled,
    'Repository.ListWriteRepositories': hydratorIsDisabled,
  };
};

/** Each field that is set is a key of the same name. */
function secretData(creds: JsonObject): Record<string, string> {
  const isSet = (value: Json): boolean => value !== '' && value !== false && value !== 0 && value !== null;
  return Object.fromEntries(
    Object.entries(creds)
      .filter(([, value]) => isSet(value))
      .map(([key, value]) => [key, base64(String(value))]),
  );
}

/** The message that was stored. */
function credsOf(secret: Secret): JsonObject {
  const read = (name: string, type: string): Json => {
    const text = secretValue(secret, name) ?? '';
    return type === 'boolean' ? text === 'true' : type === 'int64' ? Number(text) : text;
  };
  const { fields } = messageNamed(message);
  return Object.fromEntries([...fields].map(([name, { schema }]) => [name, read(name, schema.type)]));
}

const isSame = (secret: Secret, creds: JsonObject): boolean => {
  const given = secretData(creds);
  const known = secret.data ?? {};
  return Object.keys({ ...given, ...known }).every((key) => given[key] === known[key]);
};

/** Values of paths come as they were sent. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new RpcError('Unknown', `invalid URL escape in ${JSON.stringify(text)}`);
  }
}

/** Argo CD names Secrets by this hash of the URL. */
function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
