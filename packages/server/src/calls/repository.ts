import { isObject, type JsonObject, textAt } from '@fairlead/apimachinery';
import { RepositoryConnections } from '../repositories/repository-connections.ts';
import { type RepositorySecretKind, secretKinds } from '../repositories/repository-secrets.ts';
import {
  hasCredentials,
  RepositoryStore,
  type StoredRepository,
  sanitized,
  withType,
} from '../repositories/repository-store.ts';
import { isSameRepository, unescapedAddress } from '../repositories/repository-url.ts';
import type { Call, CallContext, Calls } from '../rpc/call.ts';
import { invalidArgument, notFound, permissionDenied, RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { describeDifference, differentFields } from './spec-difference.ts';

const type = 'v1alpha1.Repository';

interface Access {
  readonly kind: RepositorySecretKind;
  /** What policies call it. */
  readonly resource: 'repositories' | 'write-repositories';
  /** What errors call it. */
  readonly title: string;
}

const reading: Access = { kind: secretKinds.repository, resource: 'repositories', title: 'repository' };
const writing: Access = {
  kind: secretKinds.writeRepository,
  resource: 'write-repositories',
  title: 'write repository',
};

/** Repositories in Secrets: for sources, and those that the hydrator pushes to. No answer has anything that opens one. */
export const repositoryCalls = (server: Server): Calls => {
  const store = new RepositoryStore(server.state);
  const { clock } = server.state;
  const sources = server.options.sources?.reader;
  const connections = new RepositoryConnections({ state: server.state, sources, clock, log: server.log });
  const repositories = new RepositoryCalls(server, store, connections, reading);
  const written = new RepositoryCalls(server, store, connections, writing);
  const list: Call = (context, request) => repositories.list(context, request);
  const create: Call = (context, request) => repositories.create(context, request);
  const update: Call = (context, request) => repositories.update(context, request);
  const remove: Call = (context, request) => repositories.remove(context, request);
  return {
    'Repository.List': list,
    'Repository.ListRepositories': list,
    'Repository.Get': (context, request) => repositories.get(context, request),
    'Repository.Create': create,
    'Repository.CreateRepository': create,
    'Repository.Update': update,
    'Repository.UpdateRepository': update,
    'Repository.Delete': remove,
    'Repository.DeleteRepository': remove,
    'Repository.ValidateAccess': (context, request) => repositories.validate(context, request),
    ...withHydrator(server, {
      'Repository.ListWriteRepositories': (context, request) => written.list(context, request),
      'Repository.GetWrite': (context, request) => written.get(context, request),
      'Repository.CreateWriteRepository': (context, request) => written.create(context, request),
      'Repository.UpdateWriteRepository': (context, request) => written.update(context, request),
      'Repository.DeleteWriteRepository': (context, request) => written.remove(context, request),
      'Repository.ValidateWriteAccess': (context, request) => written.validate(context, request),
    }),
  };
};

/** Calls that exist only where the hydrator is enabled. */
export function withHydrator(server: Server, calls: Calls): Calls {
  if (server.options.hydratorEnabled) return calls;
  const refuse = (): never => {
    throw new RpcError('Unimplemented', 'hydrator is disabled');
  };
  return Object.fromEntries(Object.keys(calls).map((name) => [name, refuse]));
}

/** How policies name a repository of a project, or one for all. */
export const repositoryObject = (repository: JsonObject): string => {
  const [project, url] = [textAt(repository, 'project'), textAt(repository, 'repo')];
  return project === '' ? url : `${project}/${url}`;
};

class RepositoryCalls {
  readonly #server: Server;
  readonly #store: RepositoryStore;
  readonly #connections: RepositoryConnections;
  readonly #access: Access;

  constructor(server: Server, store: RepositoryStore, connections: RepositoryConnections, access: Access) {
    this.#server = server;
    this.#store = store;
    this.#connections = connections;
    this.#access = access;
  }

  async list(context: CallContext, request: JsonObject): Promise<JsonObject> {
    const fresh = request['forceRefresh'] === true;
    const shown = this.#visible(context).map((stored) => this.#answer(stored, fresh));
    return { metadata: {}, items: await Promise.all(shown) };
  }

  async get(context: CallContext, request: JsonObject): Promise<JsonObject> {
    return this.#answer(this.#find(context, request), request['forceRefresh'] === true);
  }

  async create(context: CallContext, request: JsonObject): Promise<JsonObject> {
    const { kind, title } = this.#access;
    const repository = payload(request);
    const [url, project] = [textAt(repository, 'repo'), textAt(repository, 'project')];
    this.#require(context, 'create', repository);
    if (kind === writing.kind) {
      if (!hasCredentials(repository)) throw invalidArgument('missing credentials in request');
      await this.#connections.test(repository);
    } else if (project === '') await this.#connections.test(this.#store.withCredentials(repository));
    const secret = this.#store.secretOf(kind, url, project);
    if (!secret) {
      await this.#store.create(kind, url, repository);
      return named(repository);
    }
    const existing = withType(this.#store.repository(kind, url, project));
    const differences = differentFields(type, existing, repository);
    if (differences.length === 0) return named(existing);
    if (request['upsert'] !== true) throw invalidArgument(describeDifference(title, differences));
    this.#require(context, 'update', repository);
    await this.#store.update(kind, secret, repository);
    return { ...sanitized(repository), connectionState: { status: 'Successful' } };
  }

  async update(context: CallContext, request: JsonObject): Promise<JsonObject> {
    const { kind } = this.#access;
    const given = payload(request);
    const [url, project] = [unescapedAddress(textAt(given, 'repo')), textAt(given, 'project')];
    const repository: JsonObject = { ...given, repo: url };
    this.#require(context, 'update', this.#store.repository(kind, url, project));
    this.#require(context, 'update', repository);
    const secret = this.#store.secretOf(kind, url, project);
    if (!secret) throw notFound(`repo '${url}' not found`);
    await this.#store.update(kind, secret, repository);
    return named(repository);
  }

  async remove(context: CallContext, request: JsonObject): Promise<JsonObject> {
    const { secret, message } = this.#find(context, request);
    this.#require(context, 'delete', message);
    await this.#store.delete(secret);
    return {};
  }

  /** Tests a repository that need not be stored. */
  async validate(context: CallContext, request: JsonObject): Promise<JsonObject> {
    const { enableOci = false, insecureOciForceHttp = false, ...fields } = request;
    const repository: JsonObject = {
      ...fields,
      repo: unescapedAddress(textAt(request, 'repo')),
      enableOCI: enableOci,
      insecureOCIForceHttp: insecureOciForceHttp,
    };
    this.#require(context, 'create', repository);
    const isRead = this.#access.kind === reading.kind;
    await this.#connections.test(isRead ? this.#store.withCredentials(repository) : repository);
    return {};
  }

  #require(context: CallContext, action: string, repository: JsonObject): void {
    this.#server.require(context, this.#access.resource, action, repositoryObject(repository));
  }

  /** By project and URL. */
  #visible(context: CallContext): StoredRepository[] {
    const { resource, kind } = this.#access;
    const place = ({ message }: StoredRepository): string => `${textAt(message, 'project')}/${textAt(message, 'repo')}`;
    return this.#store
      .list(kind)
      .filter(({ message }) =>
        this.#server.allows(context, { resource, action: 'get', object: repositoryObject(message) }),
      )
      .sort((a, b) => (place(a) < place(b) ? -1 : 1));
  }

  /** Nobody learns whether a repository exists that they may not read. Without a project, the only one with this URL is meant. */
  #find(context: CallContext, request: JsonObject): StoredRepository {
    const url = unescapedAddress(textAt(request, 'repo'));
    const project = textAt(request, 'appProject');
    const found = this.#visible(context).filter(({ message }) => isSameRepository(textAt(message, 'repo'), url));
    if (found.length === 0) throw permissionDenied();
    const [only] = found;
    if (only && found.length === 1 && project === '') return only;
    const meant = found.find(({ message }) => textAt(message, 'project') === project);
    if (meant) return meant;
    const [named, of] = [JSON.stringify(url), JSON.stringify(project)];
    throw new RpcError('Unknown', `repository not found for url ${named} and project ${of}`);
  }

  /** The state is that of the repository as Applications read it. */
  async #answer({ message, problem }: StoredRepository, fresh: boolean): Promise<JsonObject> {
    const [url, project] = [textAt(message, 'repo'), textAt(message, 'project')];
    const shown = sanitized(withType(message));
    if (problem !== undefined) {
      this.#server.log.warn('a repository is invalid', { problem });
      const state = { status: 'Failed', message: 'Configuration error - please check the server logs' };
      return { ...shown, connectionState: state };
    }
    const isRead = this.#access.kind === reading.kind;
    const read = isRead ? message : this.#store.repository(reading.kind, url, project);
    return { ...shown, connectionState: await this.#connections.state(read, { fresh }) };
  }
}

function payload(request: JsonObject): JsonObject {
  const repository = request['repo'];
  if (!isObject(repository)) throw invalidArgument('missing payload in request');
  const { connectionState: _, inheritedCreds: __, ...stored } = repository;
  return stored;
}

const named = (repository: JsonObject): JsonObject => ({
  repo: textAt(repository, 'repo'),
  type: textAt(repository, 'type'),
  name: textAt(repository, 'name'),
});
