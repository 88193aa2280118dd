import { isObject, type JsonObject, type Secret, secretValue, textAt } from '@fairlead/apimachinery';
import { type RepositorySecretKind, readMessage, secretKinds } from '../repositories/repository-secrets.ts';
import { RepositoryStore } from '../repositories/repository-store.ts';
import { unescapedAddress } from '../repositories/repository-url.ts';
import type { Calls } from '../rpc/call.ts';
import { invalidArgument, notFound } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { withHydrator } from './repository.ts';
import { describeDifference, differentFields } from './spec-difference.ts';

/** Credentials of all repositories below a URL, in Secrets. Only URL, user and type are ever answered. */
export const repoCredsCalls = (server: Server): Calls => ({
  ...callsFor(server, { kind: secretKinds.creds, resource: 'repositories', infix: '', title: '' }),
  ...withHydrator(
    server,
    callsFor(server, { kind: secretKinds.writeCreds, resource: 'write-repositories', infix: 'Write', title: 'write ' }),
  ),
});

interface Access {
  readonly kind: RepositorySecretKind;
  /** What policies call it. */
  readonly resource: string;
  /** Of the names of calls. */
  readonly infix: '' | 'Write';
  /** What errors begin with. */
  readonly title: string;
}

function callsFor(server: Server, { kind, resource, infix, title }: Access): Calls {
  const store = new RepositoryStore(server.state);
  const secretOf = (url: string): Secret | undefined =>
    store.secrets(kind).find((secret) => secretValue(secret, 'url') === url);
  const existing = (url: string): Secret => {
    const secret = secretOf(url);
    if (!secret) throw notFound(`${title}repository credentials '${url}' not found`);
    return secret;
  };
  return {
    [`RepoCreds.List${infix}RepositoryCredentials`]: (context) => ({
      items: store.secrets(kind).flatMap((secret) => {
        const { url = '', username = '', type = '', enableOCI = false } = readMessage(kind, secret).message;
        const isVisible = server.allows(context, { resource, action: 'get', object: String(url) });
        return isVisible ? [{ url, username, type, enableOCI }] : [];
      }),
    }),

    [`RepoCreds.Create${infix}RepositoryCredentials`]: async (context, request) => {
      const creds = payload(request);
      const url = textAt(creds, 'url');
      server.require(context, resource, 'create', url);
      if (url === '') throw invalidArgument('must specify URL');
      const secret = secretOf(url);
      if (!secret) await store.create(kind, url, creds);
      else {
        const differences = differentFields(kind.message, readMessage(kind, secret).message, creds);
        if (differences.length === 0) return { url };
        if (request['upsert'] !== true)
          throw invalidArgument(describeDifference('repository credentials', differences));
        server.require(context, resource, 'update', url);
        await store.update(kind, secret, creds);
      }
      return { url };
    },

    [`RepoCreds.Update${infix}RepositoryCredentials`]: async (context, request) => {
      const creds = payload(request);
      const url = textAt(creds, 'url');
      server.require(context, resource, 'update', url);
      await store.update(kind, existing(url), creds);
      return { url };
    },

    [`RepoCreds.Delete${infix}RepositoryCredentials`]: async (context, request) => {
      const url = unescapedAddress(textAt(request, 'url'));
      server.require(context, resource, 'delete', url);
      await store.delete(existing(url));
      return {};
    },
  };
}

function payload(request: JsonObject): JsonObject {
  const creds = request['creds'];
  if (!isObject(creds)) throw invalidArgument('missing payload in request');
  return creds;
}
