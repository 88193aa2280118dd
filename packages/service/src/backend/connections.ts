import { type KubeObject, secretType } from '@fairlead/apimachinery';
import { Controller, done, Informer, type Outcome, type ReconcileContext } from '@fairlead/kube';
import { RetryLimiter } from '../retry-limiter.ts';
import { parseWorkKey, tenantLanes, workKey } from '../tenant-lanes.ts';
import type { Context } from './context.ts';
import { runCredential } from './credential-runner.ts';
import { runEnvironment } from './environment-runner.ts';
import { essentialMeta } from './observed-deployment.ts';
import { requeueOnConflict } from './requeue-on-conflict.ts';

/**
 * Work that waits for tenants' servers: clusters and repositories are tried here, in a separate pool, so that one that does not respond
 * does not delay deployments.
 */
export class Connections {
  /** Only the metadata of Secrets; their data is read when it is needed, and not cached. */
  readonly secrets: Informer<KubeObject>;
  readonly #context: Context;
  readonly #controller: Controller;

  constructor(context: Context) {
    this.#context = context;
    const { client, clock, random, log, settings } = context;
    const transform = ({ apiVersion, kind, metadata }: KubeObject): KubeObject => ({
      apiVersion,
      kind,
      metadata: essentialMeta(metadata),
    });
    this.secrets = new Informer<KubeObject>(client, secretType, {}, { clock, random, log, transform });
    this.#controller = new Controller({
      name: 'connections',
      concurrency: settings.longConcurrency,
      order: tenantLanes(settings.longPerTenant),
      rateLimiter: new RetryLimiter(random),
      reconcile: (key, reconcile) => requeueOnConflict(() => this.#run(key, reconcile)),
      clock,
      log,
    });
    this.#controller
      .watch(context.environments, ({ metadata: { namespace = '', name } }) => [
        workKey('environment', namespace, name),
      ])
      .watch(context.credentials, ({ metadata: { namespace = '', name } }) => [workKey('credential', namespace, name)])
      .watch(this.secrets, ({ metadata: { namespace = '', name } }) => [
        ...context.environments
          .byIndex('secret', `${namespace}/${name}`)
          .map(({ metadata }) => workKey('environment', namespace, metadata.name)),
        ...context.credentials
          .byIndex('secret', `${namespace}/${name}`)
          .map(({ metadata }) => workKey('credential', namespace, metadata.name)),
      ]);
  }

  enqueue(key: string): void {
    this.#controller.enqueue(key);
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#controller.run(signal);
  }

  async #run(key: string, { signal, retries }: ReconcileContext): Promise<Outcome> {
    const { runner, ...name } = parseWorkKey(key);
    if (runner === 'environment') await runEnvironment(this.#context, name, retries, signal);
    else await runCredential(this.#context, name, signal);
    return done;
  }
}
