import { type GitOpsOperation, gitopsOperationKind } from '@fairlead/api';
import { isAlreadyExists } from '@fairlead/apimachinery';
import { sleep } from '@fairlead/kube';
import type { Listen } from '../database/index.ts';
import { pages } from '../paging.ts';
import {
  type ChangeRef,
  changeChannel,
  collectOperations,
  deploymentNamesAfter,
  dueOperations,
  environmentType,
  mappedAfter,
  operationsSince,
  parseChange,
  statesSince,
} from '../store/index.ts';
import { repositoryCredentialType } from '../store/repository-credentials.ts';
import { syncRunNamesAfter } from '../store/sync-operations.ts';
import { workKey } from '../tenant-lanes.ts';
import type { Context } from './context.ts';

const pageSize = 500;
/** How far a poll reaches back before the last one: transactions commit in another order than they start, and clocks differ. */
const graceMs = 60_000;

/**
 * Enqueues the keys of what has changed in the database. Notifications arrive immediately, and may be lost; a periodic poll finds lost
 * ones; after a gap in the notifications every row is enqueued.
 */
export class ChangeListener {
  readonly #context: Context;
  readonly #listen: Listen;
  #polledAt: number;
  #gap = false;
  /** Recently received notifications, with the time of the change: the poll skips them. */
  readonly #received = new Map<string, number>();

  constructor(context: Context, listen: Listen) {
    this.#context = context;
    this.#listen = listen;
    this.#polledAt = context.clock.now();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, settings, log } = this.#context;
    const stop = this.#listen(
      changeChannel,
      (payload) => this.#receive(parseChange(payload)),
      () => {
        this.#gap = true;
        void this.enqueueAll(signal);
      },
    );
    while (!signal.aborted) {
      await sleep(clock, settings.pollMs, signal).catch(() => {});
      if (signal.aborted) break;
      try {
        if (this.#gap) await this.enqueueAll(signal);
        await this.#poll();
        await this.#createOperationResources(signal);
        await collectOperations(this.#context.db, new Date(clock.now() - settings.keepOperationsMs));
      } catch (error) {
        if (!signal.aborted) log.warn('the database could not be polled', { error });
      }
    }
    await stop();
  }

  #receive(change: ChangeRef): void {
    this.#received.set(`${change.type}|${change.id}`, change.at);
    this.#changed(change);
  }

  #changed({ type, id }: ChangeRef): void {
    const { deploymentKeys, syncRuns, environments, credentials, enqueue } = this.#context;
    if (type === 'Application' || type === 'ApplicationState') {
      const key = deploymentKeys.get(id);
      if (key !== undefined) enqueue(`deployment/${key}`);
    } else if (type === 'SyncOperation') {
      for (const { metadata, spec } of syncRuns.byIndex('uid', id))
        enqueue(workKey('sync', metadata.namespace ?? '', spec.gitopsDeploymentName));
    } else if (type === 'ManagedEnvironment') {
      for (const { metadata } of environments.byIndex('uid', id))
        enqueue(workKey('environment', metadata.namespace ?? '', metadata.name));
    } else if (type === 'RepositoryCredentials') {
      for (const { metadata } of credentials.byIndex('uid', id))
        enqueue(workKey('credential', metadata.namespace ?? '', metadata.name));
    }
  }

  async #poll(): Promise<void> {
    const { db, instance, clock } = this.#context;
    const now = clock.now();
    const since = new Date(this.#polledAt - graceMs);
    const limit = 20_000;
    const changes = [...(await operationsSince(db, instance, since, limit)), ...(await statesSince(db, since, limit))];
    for (const change of changes) {
      // The other types would connect to a tenant's server: not for a notification that was probably received.
      const isOurs = change.type !== 'ManagedEnvironment' && change.type !== 'RepositoryCredentials';
      if (isOurs && this.#received.get(`${change.type}|${change.id}`) !== change.at) this.#receive(change);
    }
    for (const [key, at] of this.#received) if (at < since.getTime()) this.#received.delete(key);
    this.#polledAt = now;
  }

  /** Enqueues the resource of every row, including resources that were deleted. */
  async enqueueAll(signal: AbortSignal): Promise<void> {
    const { db, enqueue, log } = this.#context;
    try {
      for await (const { namespace, name } of pages((after) => deploymentNamesAfter(db, after, pageSize), signal)) {
        enqueue(workKey('deployment', namespace, name));
      }
      for await (const run of pages((after) => syncRunNamesAfter(db, after, pageSize), signal))
        enqueue(workKey('sync', run.namespace, run.deployment));
      for await (const { namespace, name } of pages(
        (after) => mappedAfter(db, environmentType, after, pageSize),
        signal,
      ))
        enqueue(workKey('environment', namespace, name));
      for await (const { namespace, name } of pages(
        (after) => mappedAfter(db, repositoryCredentialType, after, pageSize),
        signal,
      ))
        enqueue(workKey('credential', namespace, name));
      // And every deployment without a row: one that failed while the database was unavailable does not wait for its next retry.
      for (const { metadata } of this.#context.deploymentInformer.list())
        enqueue(workKey('deployment', metadata.namespace ?? '', metadata.name));
      this.#gap = false;
    } catch (error) {
      if (!signal.aborted) log.warn('the rows could not be read', { error });
    }
  }

  /** Creates an Operation resource for Operations that are still due at a poll: for a cluster that notifications do not reach. */
  async #createOperationResources(signal: AbortSignal): Promise<void> {
    const { db, instance, client } = this.#context;
    for (const { operation } of await dueOperations(db, instance, '', 50)) {
      const resource: GitOpsOperation = {
        apiVersion: 'managed-gitops.redhat.com/v1alpha1',
        kind: 'Operation',
        metadata: { name: `operation-${operation}`, namespace: instance.namespace },
        spec: { operationID: operation },
      };
      await client.create(gitopsOperationKind.type, resource, { signal }).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
    }
  }
}
