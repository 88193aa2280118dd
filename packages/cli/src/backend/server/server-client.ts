import { type Application, applicationKind, applicationSetKind, appProjectKind } from '@fairlead/api';
import {
  ApiError,
  apiError,
  apiVersionOf,
  badRequest,
  isForbidden,
  isNotFound,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
  type Status,
  textAt,
} from '@fairlead/apimachinery';
import type { DeleteOptions, ListOptions, ObjectList, ReadOptions, WatchEvent, WatchOptions } from '@fairlead/kube';
import { type RestApi, rest } from '../../api-server/rest-api.ts';
import type { ObjectClient } from '../backend.ts';
import { fromMessage, type Message } from './message.ts';

/** A kind of object that the API server serves. */
interface ServedKind {
  readonly path: string;
  /** The parameter that names its namespace; empty if all are in the namespace of the server. */
  readonly namespace: string;
  /** How its object is sent: as the body, or as this field of it. */
  readonly field?: string;
  /** Whether the server knows a call that changes it. */
  readonly update: boolean;
}

const served: Readonly<Record<string, ServedKind>> = {
  [applicationKind.type.plural]: { path: '/api/v1/applications', namespace: 'appNamespace', update: true },
  [appProjectKind.type.plural]: { path: '/api/v1/projects', namespace: '', field: 'project', update: true },
  [applicationSetKind.type.plural]: { path: '/api/v1/applicationsets', namespace: 'appsetNamespace', update: false },
};

/** Applications, projects and ApplicationSets through the API server, with the verbs and errors of the Kubernetes API. */
export class ServerClient implements ObjectClient {
  readonly #api: RestApi;
  /** Projects of the Applications that were read. */
  readonly #projects = new Map<string, string>();

  constructor(api: RestApi) {
    this.#api = api;
  }

  async get<T extends KubeObject = KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    options: ReadOptions = {},
  ): Promise<T> {
    const kind = kindOf(type);
    const { signal } = options;
    const query = namespaceQuery(kind, key.namespace);
    const isApplication = type.plural === applicationKind.type.plural;
    try {
      const message = await this.#api.call<Message>({ path: pathOf(kind, key.name), query, signal });
      if (isApplication) this.#projects.set(keyText(key), textAt(message, 'spec', 'project'));
      return fromMessage<T>(type, message);
    } catch (error) {
      // Who may not read every Application does not learn whether one exists.
      const isHidden = isForbidden(error) && isApplication && ((await this.#isGone(key)) || (await this.#mayReadAll()));
      if (isHidden || isNotFound(error))
        throw apiError(404, 'NotFound', `${type.plural} "${key.name}" not found`, { name: key.name });
      throw error;
    }
  }

  /** Whether an Application that was read before is no longer there: the server reports it if the project is named. */
  async #isGone(key: ObjectKey): Promise<boolean> {
    const project = this.#projects.get(keyText(key));
    if (project === undefined) return false;
    const query = { project, appNamespace: key.namespace };
    try {
      await this.#api.call({ path: rest`/api/v1/applications/${key.name}`, query });
      return false;
    } catch (error) {
      if (isNotFound(error)) return true;
      if (isForbidden(error)) return false;
      throw error;
    }
  }

  async #mayReadAll(): Promise<boolean> {
    const { value } = await this.#api.call<{ value?: string }>({
      path: '/api/v1/account/can-i/applications/get/*/*',
    });
    return value === 'yes';
  }

  async list<T extends KubeObject = KubeObject>(type: ResourceType, options: ListOptions = {}): Promise<ObjectList<T>> {
    const kind = kindOf(type);
    const query = { ...namespaceQuery(kind, options.namespace), selector: options.labelSelector };
    const list = await this.#api.call<MessageList>({ path: kind.path, query, signal: options.signal });
    return {
      items: (list.items ?? []).map((item) => fromMessage<T>(type, item)),
      resourceVersion: list.metadata?.resourceVersion ?? '',
    };
  }

  async *watch<T extends KubeObject = KubeObject>(
    type: ResourceType,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<T>> {
    if (options.sendInitialEvents) throw badRequest('the API server does not stream the initial list');
    const kind = kindOf(type);
    const name = /^metadata\.name=(.*)$/u.exec(options.fieldSelector ?? '')?.[1];
    const query = {
      ...namespaceQuery(kind, options.namespace),
      name,
      selector: options.labelSelector,
      resourceVersion: options.resourceVersion,
    };
    const path = kind.path.replace('/api/v1/', '/api/v1/stream/');
    for await (const { type: event, application } of this.#api.stream<WatchMessage>({
      path,
      query,
      signal: options.signal,
    }))
      yield { type: event, object: fromMessage<T>(type, application) };
  }

  /** As in Kubernetes, an object that exists is an error, also if it is the same. */
  async create<T extends KubeObject = KubeObject>(type: ResourceType, object: T): Promise<T> {
    return this.createWith(type, object, {});
  }

  async createWith<T extends KubeObject>(
    type: ResourceType,
    object: T,
    query: Readonly<Record<string, boolean>>,
  ): Promise<T> {
    const kind = kindOf(type);
    const { name, namespace } = object.metadata;
    if (await this.#exists(type, { name, ...(namespace === undefined ? {} : { namespace }) }))
      throw apiError(409, 'AlreadyExists', `${type.plural} "${name}" already exists`);
    const body = kind.field === undefined ? object : { [kind.field]: object };
    return fromMessage<T>(type, await this.#api.call<Message>({ method: 'POST', path: kind.path, query, body }));
  }

  async #exists(type: ResourceType, key: ObjectKey): Promise<boolean> {
    try {
      await this.get(type, key);
      return true;
    } catch (error) {
      if (error instanceof ApiError && (error.code === 404 || error.code === 403)) return false;
      throw error;
    }
  }

  async replace<T extends KubeObject = KubeObject>(type: ResourceType, object: T): Promise<T> {
    return this.replaceWith(type, object, {});
  }

  async replaceWith<T extends KubeObject>(
    type: ResourceType,
    object: T,
    parameters: Readonly<Record<string, boolean>>,
  ): Promise<T> {
    const kind = kindOf(type);
    if (!kind.update) {
      const query = { ...parameters, upsert: true };
      return fromMessage<T>(
        type,
        await this.#api.call<Message>({ method: 'POST', path: kind.path, query, body: object }),
      );
    }
    const body = kind.field === undefined ? object : { [kind.field]: object };
    const path = pathOf(kind, object.metadata.name);
    return fromMessage<T>(type, await this.#api.call<Message>({ method: 'PUT', path, query: parameters, body }));
  }

  async delete(type: ResourceType, key: ObjectKey, options: DeleteOptions = {}): Promise<Status> {
    const kind = kindOf(type);
    const query = {
      ...namespaceQuery(kind, key.namespace),
      ...(options.propagationPolicy === 'Orphan' ? { cascade: false } : {}),
    };
    await this.#api.call({ method: 'DELETE', path: pathOf(kind, key.name), query });
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };
  }
}

interface MessageList {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly items?: readonly Message[] | null;
}

interface WatchMessage {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly application: Message;
}

/** Everything else is not served, like kinds that a kubeconfig may not read. */
function kindOf(type: ResourceType): ServedKind {
  const kind = type.group === applicationKind.type.group ? served[type.plural] : undefined;
  if (kind) return kind;
  throw apiError(403, 'Forbidden', `the API server does not serve ${apiVersionOf(type)} ${type.kind}`);
}

const namespaceQuery = ({ namespace }: ServedKind, value: string | undefined): Record<string, string> =>
  namespace === '' || value === undefined ? {} : { [namespace]: value };

const keyText = ({ namespace = '', name }: ObjectKey): string => `${namespace}/${name}`;

const pathOf = ({ path }: ServedKind, name: string): string => `${path}/${encodeURIComponent(name)}`;

/** The path of a call about an Application, and the query that names it. */
export const applicationCall = ({ metadata, spec }: Application, call = '') => ({
  path: rest`/api/v1/applications/${metadata.name}` + (call === '' ? '' : `/${call}`),
  query: { appNamespace: metadata.namespace, project: spec.project || 'default' },
});
