import { join } from 'node:path';
import { type Application, applicationKind, appProjectKind } from '@fairlead/api';
import {
  type ConfigMap,
  configMapType,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  type Secret,
  secretType,
  stringsAt,
} from '@fairlead/apimachinery';
import { notificationsCatalog } from '../../src/notifications/catalog.ts';
import { notificationsConfigMap, notificationsSecret } from '../../src/notifications/delivery/config-store.ts';
import { notifiedAnnotation } from '../../src/notifications/delivery/marks.ts';
import { fillIn } from '../harness/placeholders.ts';
import { createRepository } from './case-repository.ts';
import { type LiveInstallation, namespace } from './live-installation.ts';

/** What was observed after a step. */
export interface Observed {
  readonly deliveries: readonly JsonObject[];
  readonly notified: readonly string[] | null;
}

/** Long enough for what a service retries within one delivery, and too short for the next attempt of a failed one. */
const settleMs = 20_000;
let cases = 0;

/** Runs one case. Throws if a step cannot be done. */
export async function runLiveCase(one: JsonObject, installation: LiveInstallation): Promise<Observed[]> {
  const run = new LiveRun(installation);
  try {
    return await run.all(one);
  } finally {
    await run.cleanUp();
  }
}

class LiveRun {
  readonly #at: LiveInstallation;
  #placeholders: Map<string, string>;
  #application: Application | undefined;
  #project: string | undefined;

  constructor(installation: LiveInstallation) {
    this.#at = installation;
    this.#placeholders = new Map(installation.placeholders);
  }

  async all(one: JsonObject): Promise<Observed[]> {
    const repo = objectAt(one, 'repo');
    if (repo) {
      const { url, commits } = await createRepository(join(this.#at.folder, `repo-${cases++}`), repo);
      this.#placeholders.set('$REPO', url);
      for (const [i, commit] of commits.entries()) this.#placeholders.set(`$COMMIT${i}`, commit);
    }
    const filled = fillIn(one, this.#placeholders);
    await this.#configure(filled, filled);
    const project = objectAt(filled, 'project');
    if (project) await this.#createProject(project);
    await this.#createApplication(filled);
    const observed = [await this.#observe(settleMs)];
    for (const step of listAt(filled, 'steps').filter(isObject)) observed.push(await this.#step(step, filled));
    return observed;
  }

  async #during<T>(work: Promise<T>): Promise<T> {
    return this.#at.target.during(work);
  }

  async #configure(given: JsonObject, { base }: JsonObject): Promise<void> {
    const { client } = this.#at.target;
    const metadata = (name: string) => ({ name, namespace });
    if (given.cm !== undefined) {
      const data = { ...(base === 'catalog' ? notificationsCatalog() : {}), ...stringsAt(given, 'cm') };
      await this.#during(client.delete(configMapType, metadata(notificationsConfigMap)).catch(() => {}));
      const configMap: ConfigMap = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: metadata(notificationsConfigMap),
        data,
      };
      await this.#during(client.create(configMapType, configMap));
    }
    if (given.secret !== undefined) {
      await this.#during(client.delete(secretType, metadata(notificationsSecret)).catch(() => {}));
      const secret: Secret = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: metadata(notificationsSecret),
        stringData: stringsAt(given, 'secret'),
      };
      await this.#during(client.create(secretType, secret));
    }
    if (given.receiver !== undefined) this.#at.rules.use(listAt(given, 'receiver').filter(isObject));
    if (given.smtp !== undefined) this.#at.smtp.rules = objectAt(given, 'smtp') ?? {};
    await this.#at.target.pass(500);
  }

  async #createProject(project: JsonObject): Promise<void> {
    const { client } = this.#at.target;
    const metadata = { ...objectAt(project, 'metadata'), namespace };
    const name = String(metadata['name' as keyof typeof metadata] ?? '');
    if (name === 'default')
      return void (await this.#during(client.patch(appProjectKind.type, { namespace, name }, 'merge', project)));
    this.#project = name;
    const object = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      ...project,
      metadata: { ...metadata, name },
    };
    await this.#during(client.create(appProjectKind.type, object));
  }

  async #createApplication(one: JsonObject): Promise<void> {
    const given = objectAt(one, 'application') ?? {};
    const metadata = { ...objectAt(given, 'metadata'), namespace };
    const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', ...given, metadata };
    this.#application = await this.#during(
      this.#at.target.client.create<Application>(applicationKind.type, object as unknown as Application),
    );
  }

  get #key() {
    return { namespace, name: this.#application?.metadata.name ?? '' };
  }

  async #step(step: JsonObject, one: JsonObject): Promise<Observed> {
    const { client } = this.#at.target;
    const { type } = applicationKind;
    const failing = this.#failing();
    await this.#configure(step, one);
    const project = objectAt(step, 'project');
    if (project) {
      const name = this.#project ?? 'default';
      await this.#during(client.patch(appProjectKind.type, { namespace, name }, 'merge', project));
    }
    const isAction = ['patch', 'touch', 'delete', 'recreate'].some((name) => step[name] !== undefined);
    if (step.patch !== undefined)
      await this.#during(client.patch(type, this.#key, 'merge', objectAt(step, 'patch') ?? {}));
    if (step.touch !== undefined)
      await this.#during(
        client.patch(type, this.#key, 'merge', { metadata: { labels: { touched: String(step.touch) } } }),
      );
    if (step.delete !== undefined) await this.#during(client.delete(type, this.#key));
    if (step.recreate !== undefined) {
      await this.#remove();
      await this.#createApplication(one);
    }
    if (!isAction) return this.#observe(1_000);
    await this.#at.target.pass(settleMs);
    if (failing.size === 0) return this.#observe(0);
    await this.#untilRetried(failing);
    return this.#observe(settleMs);
  }

  #failing(): Map<string, number> {
    const attempts = this.#at.controller.attempts();
    return new Map(attempts.flatMap(({ key, attempt }) => (attempt.phase === 'failed' ? [[key, attempt.tries]] : [])));
  }

  /** The original tries again at every reconcile. This product waits for its backoff: here it passes once for each step. */
  async #untilRetried(failing: ReadonlyMap<string, number>): Promise<void> {
    const { controller, target } = this.#at;
    for (;;) {
      const waits = controller.attempts().flatMap(({ key, attempt }) => {
        const isSame = attempt.phase === 'failed' && failing.get(key) === attempt.tries;
        return isSame ? [attempt.nextAt - target.clock.now()] : [];
      });
      if (waits.length === 0) return;
      await target.pass(Math.max(0, Math.min(...waits)) + 100);
    }
  }

  async #observe(ms: number): Promise<Observed> {
    const { target, deliveries } = this.#at;
    await target.pass(ms);
    const application = await this.#during(target.client.get(applicationKind.type, this.#key).catch(() => undefined));
    const annotation = application?.metadata.annotations?.[notifiedAnnotation];
    const seen = deliveries.splice(0).map((delivery) => this.#named(delivery));
    const keys = annotation === undefined ? null : Object.keys(JSON.parse(annotation)).sort();
    return { deliveries: seen, notified: keys && this.#named(keys) };
  }

  /** Values of this run become placeholders again. */
  #named<T>(value: T): T {
    const kept = ['$REPO', '$COMMIT0', '$COMMIT1', '$HTTP', '$HTTPHOST2', '$HTTPHOST'];
    const names = kept.flatMap((name) => [[name, this.#placeholders.get(name)] as const]);
    return JSON.parse(
      names.reduce((text, [name, own]) => (own ? text.replaceAll(own, name) : text), JSON.stringify(value)),
    );
  }

  async #remove(): Promise<void> {
    const { client } = this.#at.target;
    await this.#during(
      client.patch(applicationKind.type, this.#key, 'merge', { metadata: { finalizers: null } }).catch(() => {}),
    );
    await this.#during(client.delete(applicationKind.type, this.#key).catch(() => {}));
    await this.#at.target.pass(500);
  }

  async cleanUp(): Promise<void> {
    const { client } = this.#at.target;
    await this.#remove();
    if (this.#project !== undefined)
      await this.#during(client.delete(appProjectKind.type, { namespace, name: this.#project }).catch(() => {}));
    const clean = { metadata: { annotations: null, labels: null } };
    await this.#during(client.patch(appProjectKind.type, { namespace, name: 'default' }, 'merge', clean));
    await this.#during(client.delete(secretType, { namespace, name: notificationsSecret }).catch(() => {}));
    await this.#at.target.pass(3_000);
    this.#at.rules.reset();
    this.#at.smtp.rules = {};
    this.#at.deliveries.length = 0;
  }
}
