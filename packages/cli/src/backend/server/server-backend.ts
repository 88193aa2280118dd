import { type Application, applicationKind } from '@fairlead/api';
import { ApiError, isConflict, type KubeObject, textAt } from '@fairlead/apimachinery';
import type { TreeNode } from '@fairlead/app-controller/explain';
import { sleep, systemClock, withoutManagedFields } from '@fairlead/kube';
import type { RestApi } from '../../api-server/rest-api.ts';
import { keyOf } from '../../applications/selection/find-application.ts';
import type { TargetRequest, TargetState } from '../../applications/sources/target-state.ts';
import type { Environment } from '../../environment.ts';
import type { AnyEvent, Backend, ClusterRow, ContainerLog, OperationRequest, RepositoryRow } from '../backend.ts';
import { verificationError } from '../verification.ts';
import { compareFolder, renderFolder } from './local-folder.ts';
import { liveStates, managedResources } from './managed-resources.ts';
import { fromMessage, type Message } from './message.ts';
import { applicationCall, ServerClient } from './server-client.ts';
import { readEvents } from './server-events.ts';
import { clusterRows, repositoryRows } from './server-settings.ts';
import { serverTargetState } from './server-target-state.ts';
import { treeOfNodes } from './server-tree.ts';

const { type } = applicationKind;
const pollMs = 2_000;

/** The server verifies before it writes, and says what is wrong in this form. */
async function verified(write: Promise<Application>): Promise<Application> {
  try {
    return await write;
  } catch (error) {
    const isRefused = error instanceof ApiError && error.code === 400 && /^application .*spec for/u.test(error.message);
    throw isRefused ? verificationError(error.message, error) : error;
  }
}

/** The API server, with the rights of an account. What is live is read by the server. */
export class ServerBackend implements Backend {
  readonly client: ServerClient;
  readonly #api: RestApi;
  readonly #environment: Environment;

  constructor(api: RestApi, environment: Environment) {
    this.client = new ServerClient(api);
    this.#api = api;
    this.#environment = environment;
  }

  /** The server verifies what it writes. */
  create(application: Application, { verify }: { readonly verify: boolean }): Promise<Application> {
    return verified(this.client.createWith(type, application, { validate: verify }));
  }

  update(application: Application, { verify }: { readonly verify: boolean }): Promise<Application> {
    return verified(this.client.replaceWith(type, application, { validate: verify }));
  }

  async startOperation(application: Application, request: OperationRequest): Promise<Application> {
    const { rollbackTo, sync = {}, retry, info } = request;
    const { query, path } = applicationCall(application, rollbackTo === undefined ? 'sync' : 'rollback');
    const asked =
      rollbackTo === undefined
        ? {
            revision: sync.revision,
            revisions: sync.revisions,
            // The server reads the sources of revisions by their position.
            ...(sync.revisions ? { sourcePositions: sync.revisions.map((_, i) => String(i + 1)) } : {}),
            strategy: sync.syncStrategy,
            syncOptions: { items: sync.syncOptions ?? [] },
            resources: sync.resources,
            manifests: sync.manifests,
            retryStrategy: retry,
            infos: info,
          }
        : { id: rollbackTo };
    const body = {
      name: application.metadata.name,
      ...query,
      ...(sync.prune ? { prune: true } : {}),
      ...(sync.dryRun ? { dryRun: true } : {}),
      ...asked,
    };
    return fromMessage<Application>(type, await this.#api.call<Message>({ method: 'POST', path, body }));
  }

  async terminateOperation(application: Application): Promise<Application> {
    await this.#api.call({ method: 'DELETE', ...applicationCall(application, 'operation') });
    return this.client.get<Application>(type, keyOf(application));
  }

  async requestRefresh(application: Application, how: 'normal' | 'hard'): Promise<void> {
    const { path, query } = applicationCall(application);
    await this.#api.call({ path, query: { ...query, refresh: how } });
  }

  async remove(application: Application, how: { readonly cascade: boolean; readonly background: boolean }) {
    const { path, query } = applicationCall(application);
    const policy = how.cascade && how.background ? { propagationPolicy: 'background' } : {};
    try {
      await this.#api.call({ method: 'DELETE', path, query: { ...query, cascade: how.cascade, ...policy } });
    } catch (error) {
      // The controller may write at the same moment.
      if (!isConflict(error)) throw error;
      await this.#api.call({ method: 'DELETE', path, query: { ...query, cascade: how.cascade, ...policy } });
    }
  }

  async tree(application: Application, { pods = false }: { readonly pods?: boolean } = {}): Promise<TreeNode[]> {
    const answer = await this.#api.call(applicationCall(application, 'resource-tree'));
    return treeOfNodes(application, answer, pods ? (node) => this.#manifest(application, node) : undefined);
  }

  async #manifest(application: Application, node: unknown): Promise<KubeObject> {
    const { path, query } = applicationCall(application, 'resource');
    const answer = await this.#api.call({
      path,
      query: {
        ...query,
        group: textAt(node, 'group'),
        version: textAt(node, 'version'),
        kind: textAt(node, 'kind'),
        namespace: textAt(node, 'namespace'),
        resourceName: textAt(node, 'name'),
      },
    });
    const object: KubeObject = JSON.parse(textAt(answer, 'manifest'));
    return object;
  }

  targetState(application: Application, request: TargetRequest = {}): Promise<TargetState> {
    return serverTargetState(this.#api, this.client, application, request);
  }

  compareLocal(application: Application, folder: string) {
    return compareFolder(this.#api, this.client, application, folder, this.#environment);
  }

  renderLocal(application: Application, folder: string): Promise<string[]> {
    return renderFolder(this.#api, this.client, application, folder, this.#environment);
  }

  async liveObjects(application: Application): Promise<KubeObject[]> {
    return liveStates(await managedResources(this.#api, application), application).map((one) =>
      withoutManagedFields(one),
    );
  }

  async *logLines(application: Application, log: ContainerLog, signal: AbortSignal): AsyncGenerator<string> {
    const { path, query } = applicationCall(application, `pods/${encodeURIComponent(log.pod)}/logs`);
    const { namespace, container, follow, previous, tailLines, sinceSeconds } = log;
    const asked = { ...query, namespace, container, follow, previous, tailLines, sinceSeconds };
    for await (const entry of this.#api.stream({ path, query: asked, signal })) {
      // The last message has no line.
      if (textAt(entry, 'podName') === '') return;
      yield log.timestamps ? `${textAt(entry, 'timeStampStr')} ${textAt(entry, 'content')}` : textAt(entry, 'content');
    }
  }

  async events(application: Application): Promise<AnyEvent[]> {
    return readEvents(this.#api, application, await this.tree(application));
  }

  /** The API server has no stream of events. */
  async watchEvents(application: Application, print: (event: AnyEvent) => void, signal: AbortSignal): Promise<void> {
    const printed = new Map<string, string | undefined>();
    while (!signal.aborted) {
      for (const event of await this.events(application)) {
        const { uid = '', resourceVersion } = event.metadata;
        if (printed.has(uid) && printed.get(uid) === resourceVersion) continue;
        printed.set(uid, resourceVersion);
        print(event);
      }
      await sleep(systemClock, pollMs, signal).catch(() => {});
    }
  }

  clusters(): Promise<ClusterRow[]> {
    return clusterRows(this.#api);
  }

  repositories(): Promise<RepositoryRow[]> {
    return repositoryRows(this.#api);
  }
}
