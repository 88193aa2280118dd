import { type Application, type AppProject, applicationKind, appProjectKind } from '@fairlead/api';
import { formatTime, isConflict, isNotFound } from '@fairlead/apimachinery';
import {
  type ApiClient,
  type Clock,
  Controller,
  done,
  Informer,
  type Logger,
  type Outcome,
  type Random,
  requeueAfter,
} from '@fairlead/kube';

export interface FakeAppControllerOptions {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** The duration of a sync; it does not end if not given. */
  readonly syncMs?: number;
}

/**
 * A fake application controller: reports each permitted Application as Synced and Healthy, runs requested operations, and removes the
 * finalizers of deleted ones. Counts started syncs, by id.
 */
export class FakeAppController {
  readonly syncs: string[] = [];
  readonly #options: FakeAppControllerOptions;

  constructor(options: FakeAppControllerOptions) {
    this.#options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { client, namespace, clock, random, log } = this.#options;
    const applications = new Informer<Application>(client, applicationKind.type, { namespace }, { clock, random, log });
    const projects = new Informer<AppProject>(client, appProjectKind.type, { namespace }, { clock, random, log });
    const controller = new Controller({
      name: 'engine',
      concurrency: 8,
      clock,
      log,
      reconcile: async (key) => {
        const seen = applications.get(key);
        if (!seen) return done;
        try {
          return await this.#reconcile(seen, projects, signal);
        } catch (error) {
          if (isNotFound(error) || isConflict(error)) return requeueAfter(100);
          throw error;
        }
      },
    });
    controller.watch(applications).watch(projects, ({ metadata }) =>
      applications
        .list()
        .filter(({ spec }) => spec.project === metadata.name)
        .map((application) => `${application.metadata.namespace}/${application.metadata.name}`),
    );
    await Promise.all([applications.run(signal), projects.run(signal), controller.run(signal)]);
  }

  async #reconcile(seen: Application, projects: Informer<AppProject>, signal: AbortSignal): Promise<Outcome> {
    const { client, clock, syncMs } = this.#options;
    const { namespace = '', name } = seen.metadata;
    const application = await client.get<Application>(applicationKind.type, { namespace, name }, { signal });
    const patch = (body: object): Promise<unknown> =>
      client.patch(
        applicationKind.type,
        { namespace, name },
        'merge',
        { metadata: { resourceVersion: application.metadata.resourceVersion }, ...body },
        { signal },
      );
    const { resourceVersion } = application.metadata;
    if (application.metadata.deletionTimestamp) {
      if (application.metadata.finalizers?.length) await patch({ metadata: { resourceVersion, finalizers: null } });
      return done;
    }
    const { operation, status, spec } = application;
    const state = status?.operationState;
    const now = formatTime(clock.now());
    if (operation && state?.phase === 'Terminating') {
      await patch({
        operation: null,
        status: { operationState: { phase: 'Failed', message: 'Operation terminated' } },
      });
    } else if (operation && state?.phase !== 'Running') {
      await patch({
        status: { operationState: { operation, phase: 'Running', startedAt: now, finishedAt: null, message: null } },
      });
      this.syncs.push(operation.info?.[0]?.value ?? '');
      return requeueAfter(syncMs ?? 3_600_000);
    } else if (operation && syncMs !== undefined) {
      const leftMs = Date.parse(state?.startedAt ?? '') + syncMs - clock.now();
      if (leftMs > 0) return requeueAfter(leftMs);
      await patch({ operation: null, status: { operationState: { phase: 'Succeeded', message: 'synced' } } });
      return requeueAfter(1);
    }
    const project = projects.get(`${namespace}/${spec.project}`);
    const permitted = project?.spec.sourceRepos?.includes(spec.source?.repoURL ?? '') ?? false;
    const comparedTo = { source: spec.source, destination: spec.destination };
    const desired = permitted
      ? {
          sync: { status: 'Synced', revision: 'a'.repeat(40), comparedTo },
          health: { status: 'Healthy' },
          conditions: null,
        }
      : {
          conditions: [{ type: 'InvalidSpecError', message: 'not permitted by its project', lastTransitionTime: now }],
        };
    const isSaid = permitted
      ? JSON.stringify(status?.sync?.comparedTo) === JSON.stringify(comparedTo) && !status?.conditions
      : status?.conditions !== undefined;
    if (!isSaid)
      await client.patch(applicationKind.type, { namespace, name }, 'merge', { status: desired }, { signal });
    return done;
  }
}
