import { type Application, applicationKind } from '@fairlead/api';
import { isConflict, isForbidden, isNotFound, type KubeObject, type Secret, secretType } from '@fairlead/apimachinery';
import type { TreeNode } from '@fairlead/app-controller/explain';
import {
  aborted,
  eventsType,
  type HttpClient,
  Informer,
  listAll,
  TransportError,
  withoutManagedFields,
} from '@fairlead/kube';
import { folderTree } from '@fairlead/source';
import {
  destinationError,
  openDestination,
  readTreeThere,
  withDestination,
} from '../applications/cluster/destination.ts';
import { inClusterName, inClusterServer, isInCluster } from '../applications/cluster/in-cluster.ts';
import { discoverKinds, readObject, walk } from '../applications/cluster/owner-tree.ts';
import { keyOf, lookUp } from '../applications/selection/find-application.ts';
import { renderLocal } from '../applications/sources/local-manifests.ts';
import { readTargetState, type TargetRequest, type TargetState } from '../applications/sources/target-state.ts';
import { CliError } from '../cli-error.ts';
import { compareWithLive } from '../diff/compare-with-live.ts';
import type { Environment } from '../environment.ts';
import { controlPlaneNamespace } from '../install.ts';
import { sourceFolderAt, withRenderErrors } from '../render/source-folder.ts';
import type { AnyEvent, Backend, ClusterRow, ContainerLog, OperationRequest, RepositoryRow } from './backend.ts';
import { deletionFinalizer, isDeletionFinalizer } from './deletion-finalizer.ts';
import { textLines } from './text-lines.ts';
import { userName } from './user-name.ts';
import { verificationError } from './verification.ts';

const { type } = applicationKind;

const refreshAnnotation = 'argocd.argoproj.io/refresh';

/** The Kubernetes API of a kubeconfig. What the controller does not write into the Application is computed here, by the same code. */
export class ClusterBackend implements Backend {
  readonly client: HttpClient;
  readonly #environment: Environment;

  constructor(client: HttpClient, environment: Environment) {
    this.client = client;
    this.#environment = environment;
  }

  async create(application: Application, { verify }: { readonly verify: boolean }): Promise<Application> {
    if (verify) await this.#verify(application);
    return this.client.create(type, application);
  }

  async update(application: Application, { verify }: { readonly verify: boolean }): Promise<Application> {
    if (verify) await this.#verify(application);
    return this.client.replace(type, application);
  }

  /** Reads source and destination as the controller will. What cannot be read from here, the controller reports. */
  async #verify(application: Application): Promise<void> {
    try {
      await readTargetState(this.client, application, this.#environment);
    } catch (error) {
      if (isForbidden(error) || (error instanceof CliError && error.cause instanceof TransportError)) return;
      if (!(error instanceof CliError)) throw error;
      throw verificationError(error.message, error);
    }
  }

  startOperation(application: Application, request: OperationRequest): Promise<Application> {
    const { rollbackTo: _, ...operation } = request;
    return this.client.patch<Application>(type, keyOf(application), 'merge', {
      metadata: { resourceVersion: application.metadata.resourceVersion },
      operation: { ...operation, initiatedBy: { username: userName() } },
      // As Argo CD does: the last operation state must not be confused with this one.
      status: { operationState: null },
    });
  }

  /** The controller reads the phase Terminating, and stops the operation. */
  terminateOperation(application: Application): Promise<Application> {
    const { status, metadata } = application;
    const { resourceVersion } = metadata;
    const isStarted = ['Running', 'Terminating'].includes(status?.operationState?.phase ?? '');
    // A pending operation is simply removed.
    const change = isStarted
      ? { status: { operationState: { ...status?.operationState, phase: 'Terminating' } } }
      : { operation: null };
    return this.client.patch<Application>(type, keyOf(application), 'merge', {
      metadata: { resourceVersion },
      ...change,
    });
  }

  async requestRefresh(application: Application, how: 'normal' | 'hard'): Promise<void> {
    const body = { metadata: { annotations: { [refreshAnnotation]: how } } };
    await this.client.patch(type, keyOf(application), 'merge', body);
  }

  /** The finalizer decides whether the objects are deleted with the Application. */
  async remove(chosen: Application, how: { readonly cascade: boolean; readonly background: boolean }): Promise<void> {
    const finalizer = how.background ? `${deletionFinalizer}/background` : deletionFinalizer;
    for (let tries = 0; ; tries++) {
      const application = await lookUp(this.client, keyOf(chosen));
      if (!application || application.metadata.uid !== chosen.metadata.uid) return;
      const { finalizers = [], resourceVersion, uid } = application.metadata;
      const others = finalizers.filter((one) => !isDeletionFinalizer(one));
      const next = how.cascade ? [...others, finalizer] : others;
      try {
        if (next.join() !== finalizers.join() && !application.metadata.deletionTimestamp)
          await this.client.patch(type, keyOf(application), 'merge', {
            metadata: { resourceVersion, finalizers: next },
          });
        await this.client.delete(type, keyOf(application), { ...(uid ? { preconditions: { uid } } : {}) });
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isConflict(error) || tries === 5) throw error;
      }
    }
  }

  tree(application: Application): Promise<TreeNode[]> {
    return readTreeThere(this.client, application, this.#environment);
  }

  targetState(application: Application, request: TargetRequest = {}): Promise<TargetState> {
    return readTargetState(this.client, application, this.#environment, request);
  }

  async compareLocal(application: Application, folder: string): Promise<Pick<TargetState, 'differences' | 'warnings'>> {
    const place = sourceFolderAt(folder, undefined);
    const { objects, warnings } = await withRenderErrors(undefined, () =>
      compareWithLive(this.client, {
        app: application.metadata.name,
        appNamespace: application.metadata.namespace ?? '',
        path: place.path,
        tree: folderTree(place.root),
        environment: this.#environment,
        refs: new Map(),
      }),
    );
    return { differences: objects, warnings };
  }

  renderLocal(application: Application, folder: string): Promise<string[]> {
    return renderLocal(this.client, application, folder, this.#environment);
  }

  liveObjects(application: Application): Promise<KubeObject[]> {
    return withDestination(this.client, application, this.#environment, async ({ client }) => {
      const { kinds } = await discoverKinds(client);
      const found = await Promise.all(
        (application.status?.resources ?? []).map(({ group = '', kind = '', namespace = '', name = '' }) =>
          readObject(client, kinds, { group, kind, namespace, name }),
        ),
      );
      return found.flatMap((object) => (object ? [withoutManagedFields(object)] : []));
    });
  }

  async *logLines(application: Application, log: ContainerLog, signal: AbortSignal): AsyncGenerator<string> {
    const { namespace, pod, ...options } = log;
    const query = new URLSearchParams(
      Object.entries(options).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log?${query}`;
    const there = await openDestination(this.client, application, this.#environment);
    try {
      yield* textLines(there.client.stream(path, { signal }));
    } catch (error) {
      throw destinationError(error, application, there);
    } finally {
      await there.close();
    }
  }

  async events(application: Application): Promise<AnyEvent[]> {
    const isAbout = await this.#subjects(application);
    const lists = await Promise.all(
      namespacesOf(application).map((namespace) => listAll<AnyEvent>(this.client, eventsType, { namespace })),
    );
    return lists.flatMap(({ items }) => items).filter(isAbout);
  }

  async watchEvents(application: Application, print: (event: AnyEvent) => void, signal: AbortSignal): Promise<void> {
    const isAbout = await this.#subjects(application);
    const show = (event: AnyEvent): void => {
      if (isAbout(event)) print(event);
    };
    for (const namespace of namespacesOf(application)) {
      const informer = new Informer<AnyEvent>(this.client, eventsType, { namespace });
      informer.addHandler({ onAdd: show, onUpdate: (_, event) => show(event) });
      void informer.run(signal);
    }
    await aborted(signal);
  }

  /** The Application, its objects and their dependents. Deleted pods count too, by the name of their owner. */
  async #subjects(application: Application): Promise<(event: AnyEvent) => boolean> {
    const nodes = [...walk(await this.tree(application))];
    const uids = new Set([application.metadata.uid, ...nodes.map(({ live }) => live?.metadata.uid)]);
    const names = new Set(nodes.map(({ id }) => `${id.kind} ${id.namespace}/${id.name}`));
    const workloads = nodes.filter(({ id }) =>
      ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'ReplicaSet'].includes(id.kind),
    );
    return ({ regarding }) => {
      if (!regarding) return false;
      const { uid, kind, namespace = '', name } = regarding;
      if (uid !== undefined && uids.has(uid)) return true;
      if (names.has(`${kind} ${namespace}/${name}`)) return true;
      return (
        ['Pod', 'ReplicaSet'].includes(kind) &&
        workloads.some(({ id }) => id.namespace === namespace && name.startsWith(`${id.name}-`))
      );
    };
  }

  async clusters(): Promise<ClusterRow[]> {
    const others = (await this.#secrets('cluster')).map((secret) => ({
      name: textIn(secret, 'name') || textIn(secret, 'server'),
      server: textIn(secret, 'server'),
      namespaces: textIn(secret, 'namespaces'),
      project: textIn(secret, 'project'),
    }));
    const own = { name: inClusterName, server: inClusterServer, namespaces: '', project: '' };
    return others.some(({ server }) => server === inClusterServer) ? others : [own, ...others];
  }

  async repositories(): Promise<RepositoryRow[]> {
    const [single, templates] = await Promise.all([this.#secrets('repository'), this.#secrets('repo-creds')]);
    const read = (secret: Secret, of: RepositoryRow['of']): RepositoryRow => ({
      name: textIn(secret, 'url'),
      type: textIn(secret, 'type') || 'git',
      of,
      project: textIn(secret, 'project'),
      credentials: credentialsIn(secret),
    });
    return [
      ...single.map((secret) => read(secret, 'repository')),
      ...templates.map((secret) => read(secret, 'prefix')),
    ];
  }

  async #secrets(kind: string): Promise<readonly Secret[]> {
    const labelSelector = `argocd.argoproj.io/secret-type=${kind}`;
    return (await listAll<Secret>(this.client, secretType, { namespace: controlPlaneNamespace, labelSelector })).items;
  }
}

const namespacesOf = ({ metadata, status, spec }: Application): string[] => {
  const own = isInCluster(spec.destination)
    ? (status?.resources ?? []).flatMap(({ namespace }) => namespace ?? [])
    : [];
  return [...new Set([metadata.namespace ?? '', ...own])];
};

const textIn = ({ data }: Secret, key: string): string => Buffer.from(data?.[key] ?? '', 'base64').toString('utf8');

/** The kind of credentials, never their value. */
function credentialsIn(secret: Secret): string {
  const kinds: readonly [string, string][] = [
    ['sshPrivateKey', 'SSH key'],
    ['githubAppPrivateKey', 'GitHub App'],
    ['tlsClientCertKey', 'client certificate'],
    ['bearerToken', 'token'],
    ['password', 'password'],
  ];
  return kinds.find(([key]) => secret.data?.[key])?.[1] ?? 'none';
}
