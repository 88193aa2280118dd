import {
  type Application,
  type ApplicationSource,
  type ApplicationStatus,
  type AppProject,
  applicationKind,
} from '@fairlead/api';
import { elementAt, formatTime, keyOf, messageOf } from '@fairlead/apimachinery';
import { onAbort } from '@fairlead/kube';
import { normalizeGitUrl, type Sources, withNetworks } from '@fairlead/source';
import { isClusterProblem } from '../cluster/clusters.ts';
import { allowedNetworksOf } from '../project/allowed-networks.ts';
import { whySourceRefused } from '../project/project.ts';
import { keyOfApplication, projectOf, type ReconcileEnv } from '../reconcile-env.ts';
import { defaultHydratorSettings } from '../settings/hydrator-settings.ts';
import { loadDesiredState } from '../source/desired-state.ts';
import { writeChange } from '../status/write-status.ts';
import { commitMessageOf, type DryCommit, type HydratedFolder, hydratedFiles, pathsRead } from './hydrated-files.ts';
import { drySourceOf, groupKeyOf, hydratedBranchOf, type SourceHydrator, syncSourceOf } from './hydrated-sources.ts';
import type { HydrationWriter } from './hydration-writer.ts';
import { needsHydration, retryMs } from './needs-hydration.ts';

/** How long changes of one branch are collected before they become one commit. */
const windowMs = 1_000;

type HydrationStatus = NonNullable<ApplicationStatus['sourceHydrator']>;
type Hydrated = Application & { readonly spec: { readonly sourceHydrator: SourceHydrator } };

export interface HydratorOptions {
  readonly env: ReconcileEnv;
  /** Reads the description of a commit. */
  readonly commit: Sources['commit'];
  readonly writer: HydrationWriter;
  /** The Applications of this controller. */
  readonly applications: () => readonly Application[];
  readonly writeCredentialsFor: (url: string, project: string) => ReturnType<ReconcileEnv['access']['credentialsFor']>;
  /** Requests that an Application is compared again. */
  readonly refresh: (key: string) => void;
}

/**
 * Renders the dry sources of Applications and commits the manifests to their branches. Applications that share a dry source and a branch are
 * one group: they are rendered from one commit, and written in one commit. One group never waits for another.
 */
export class Hydrator {
  readonly #options: HydratorOptions;
  /** Groups that wait for their window, or run; true if they changed meanwhile. */
  readonly #active = new Map<string, { again: boolean }>();
  #signal: AbortSignal | undefined;

  constructor(options: HydratorOptions) {
    this.#options = options;
  }

  /** Follows the dry sources and the hydrated branches until the signal aborts. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
    const { env } = this.#options;
    const stop = env.sources.onChange((repository) => {
      for (const { spec } of this.#hydrated()) {
        const used = [drySourceOf(spec.sourceHydrator), syncSourceOf(spec.sourceHydrator)];
        if (used.some(({ repoURL }) => normalizeGitUrl(repoURL) === repository))
          this.#enqueue(groupKeyOf(spec.sourceHydrator));
      }
    });
    const everything = (): void => {
      for (const { spec } of this.#hydrated()) this.#enqueue(groupKeyOf(spec.sourceHydrator));
      cancel = env.clock.after(Math.min(retryMs, env.settings.refreshMs || retryMs), everything);
    };
    let cancel = env.clock.after(0, everything);
    onAbort(signal, () => {
      stop();
      cancel();
    });
  }

  /** An Application was added or changed. */
  changed(old: Application | undefined, application: Application): void {
    const { sourceHydrator } = application.spec;
    if (!sourceHydrator) return;
    const isAsked = application.metadata.annotations?.['argocd.argoproj.io/hydrate'] !== undefined;
    if (old && !isAsked && JSON.stringify(old.spec.sourceHydrator) === JSON.stringify(sourceHydrator)) return;
    this.#enqueue(groupKeyOf(sourceHydrator));
  }

  #hydrated(): Hydrated[] {
    return this.#options
      .applications()
      .filter((one): one is Hydrated => one.spec.sourceHydrator !== undefined && !one.metadata.deletionTimestamp);
  }

  #enqueue(group: string): void {
    const { env } = this.#options;
    if (!this.#signal || !(env.settings.hydrator ?? defaultHydratorSettings).enabled) return;
    const active = this.#active.get(group);
    if (active) {
      active.again = true;
      return;
    }
    const entry = { again: false };
    this.#active.set(group, entry);
    env.clock.after(windowMs, () => {
      entry.again = false;
      void this.#run(group)
        .catch((error: unknown) => env.log.warn('a hydration failed', { group, error: messageOf(error) }))
        .finally(() => {
          this.#active.delete(group);
          if (entry.again) this.#enqueue(group);
        });
    });
  }

  async #run(group: string): Promise<void> {
    const { env } = this.#options;
    const applications = this.#hydrated().filter(({ spec }) => groupKeyOf(spec.sourceHydrator) === group);
    if (applications.length === 0 || this.#signal?.aborted) return;
    const problems = this.#problemsOf(applications);
    const dryRevision =
      problems.size > 0
        ? undefined
        : await this.#dryRevision(elementAt(applications, 0)).catch((error: unknown) => {
            for (const one of applications)
              problems.set(keyOf(one), `failed to resolve the dry source: ${messageOf(error)}`);
            return undefined;
          });
    const tip = dryRevision && (await this.#branchTip(elementAt(applications, 0)));
    const now = env.clock.now();
    const isDue = applications.some((one) => {
      const last = one.status?.sourceHydrator?.lastSuccessfulOperation?.hydratedSHA;
      const isDrifted = tip !== undefined && last !== undefined && tip !== last;
      return isDrifted || needsHydration(one, { dryRevision: dryRevision ?? '', now }) !== undefined;
    });
    const isUnreported = (one: Hydrated): boolean =>
      one.status?.sourceHydrator?.currentOperation?.message !== messageFor(one, problems);
    if (problems.size > 0 ? !applications.some(isUnreported) : !isDue) return;
    const startedAt = formatTime(now);
    await this.#write(applications, ({ spec, status }) => ({
      ...status?.sourceHydrator,
      currentOperation: { phase: 'Hydrating', message: '', startedAt, sourceHydrator: spec.sourceHydrator },
    }));
    if (problems.size > 0) return this.#fail(applications, problems, startedAt);
    try {
      const commit = await this.#hydrate(applications, dryRevision ?? '', problems);
      if (commit === undefined) return await this.#fail(applications, problems, startedAt, dryRevision);
      await this.#succeed(applications, dryRevision ?? '', commit, startedAt);
    } catch (error) {
      for (const one of applications) problems.set(keyOf(one), messageOf(error));
      await this.#fail(applications, problems, startedAt, dryRevision);
    }
  }

  /** The commit of the branch; undefined if an Application could not be rendered. */
  async #hydrate(
    applications: readonly Hydrated[],
    dryRevision: string,
    problems: Map<string, string>,
  ): Promise<string | undefined> {
    const { env, writer, writeCredentialsFor, commit } = this.#options;
    const folders = await Promise.all(
      applications.map(async (one): Promise<HydratedFolder | undefined> => {
        try {
          return await this.#render(one, dryRevision);
        } catch (error) {
          problems.set(keyOf(one), `failed to get manifests: ${messageOf(error)}`);
          return undefined;
        }
      }),
    );
    if (problems.size > 0) return undefined;
    const rendered = folders.filter((folder) => folder !== undefined);
    const { sourceHydrator } = elementAt(applications, 0).spec;
    const project = sharedProject(applications);
    const { repoURL } = drySourceOf(sourceHydrator);
    const networks = applications.map((one) => allowedNetworksOf(this.#project(one))).find(Boolean);
    const ask = { credentials: withNetworks(env.access.credentialsFor(repoURL, project), networks), project };
    const dry: DryCommit = { repoURL, sha: dryRevision, metadata: await commit(repoURL, dryRevision, ask) };
    const { author, templates } = env.settings.hydrator ?? defaultHydratorSettings;
    const repository = syncSourceOf(sourceHydrator).repoURL;
    return writer.write({
      repository,
      credentials: withNetworks(writeCredentialsFor(repository, project), networks),
      branch: hydratedBranchOf(sourceHydrator),
      base: sourceHydrator.syncSource.targetBranch,
      author,
      message: commitMessageOf(dry, templates),
      paths: pathsRead(rendered),
      files: (read) => hydratedFiles(rendered, dry, repository, templates, read),
    });
  }

  async #render(application: Hydrated, revision: string): Promise<HydratedFolder> {
    const { env } = this.#options;
    const { spec, metadata } = application;
    const cluster = env.clusters.find(spec.destination);
    const capabilities = isClusterProblem(cluster) ? {} : cluster.capabilities;
    const target = {
      project: this.#project(application),
      name: metadata.name,
      namespace: spec.destination.namespace ?? '',
    };
    const source = drySourceOf(spec.sourceHydrator);
    const { manifests } = await loadDesiredState(env, { ...target, ...capabilities }, [source], {
      revisions: [revision],
    });
    return { path: spec.sourceHydrator.syncSource.path, manifests };
  }

  #project(application: Application): AppProject {
    const name = application.spec.project || 'default';
    const project = projectOf(this.#options.env)(name);
    if (!project) throw new Error(`failed to get project "${name}"`);
    return project;
  }

  /** Why Applications cannot be hydrated, by their keys, with the same messages as Argo CD. */
  #problemsOf(applications: readonly Hydrated[]): Map<string, string> {
    const problems = new Map<string, string>();
    const paths = new Map<string, Hydrated>();
    for (const one of applications) {
      const { sourceHydrator, project = 'default' } = one.spec;
      const [dry, sync] = [drySourceOf(sourceHydrator), syncSourceOf(sourceHydrator)];
      const path = (sync.path ?? '').replace(/^(?:\.?\/)+|\/+$/gu, '');
      const rules = projectOf(this.#options.env)(project || 'default');
      const other = paths.get(path);
      const refused = rules && [dry, sync].map(({ repoURL }) => whySourceRefused(rules, repoURL)).find(Boolean);
      if (!rules) problems.set(keyOf(one), `failed to get project "${project}"`);
      else if (refused) problems.set(keyOf(one), refused);
      else if (path === '' || path === '.' || path.split('/').includes('..')) {
        const where = `(branch "${hydratedBranchOf(sourceHydrator)}", path "${sync.path}")`;
        problems.set(keyOf(one), `app is configured to hydrate to the repository root ${where} which is not allowed`);
      } else if (other) {
        const same = (name: string): string =>
          `app ${name} hydrator uses the same destination: repo=${sync.repoURL}, path=${path}`;
        problems.set(keyOf(one), same(keyOf(other)));
        problems.set(keyOf(other), same(keyOf(one)));
      }
      paths.set(path, one);
    }
    return problems;
  }

  #dryRevision(application: Hydrated): Promise<string> {
    return this.#resolve(application, drySourceOf(application.spec.sourceHydrator));
  }

  /** The newest commit of the branch; undefined if it cannot be read, or does not exist yet. */
  async #branchTip(application: Hydrated): Promise<string | undefined> {
    const { sourceHydrator } = application.spec;
    const branch = { ...syncSourceOf(sourceHydrator), targetRevision: hydratedBranchOf(sourceHydrator) };
    return this.#resolve(application, branch).catch(() => undefined);
  }

  #resolve(application: Hydrated, source: ApplicationSource): Promise<string> {
    const { access, sources } = this.#options.env;
    const project = this.#project(application);
    const { name } = project.metadata;
    const credentials = withNetworks(access.credentialsFor(source.repoURL, name), allowedNetworksOf(project));
    return sources.resolve(source, source.targetRevision ?? '', { credentials, project: name, fresh: true });
  }

  async #succeed(
    applications: readonly Hydrated[],
    drySHA: string,
    hydratedSHA: string,
    startedAt: string,
  ): Promise<void> {
    const { env, refresh } = this.#options;
    const finishedAt = formatTime(env.clock.now());
    await this.#write(applications, ({ spec: { sourceHydrator } }) => ({
      currentOperation: { phase: 'Hydrated', message: '', drySHA, hydratedSHA, startedAt, finishedAt, sourceHydrator },
      lastSuccessfulOperation: { drySHA, hydratedSHA, sourceHydrator },
      lastComparedDryRevision: drySHA,
    }));
    await this.#removeRequests(applications);
    for (const one of applications) refresh(keyOf(one));
  }

  async #fail(
    applications: readonly Hydrated[],
    problems: ReadonlyMap<string, string>,
    startedAt: string,
    drySHA?: string,
  ): Promise<void> {
    const { env } = this.#options;
    const finishedAt = formatTime(env.clock.now());
    const revision = drySHA ? { drySHA } : {};
    await this.#write(applications, (one) => ({
      ...one.status?.sourceHydrator,
      currentOperation: {
        phase: 'Failed',
        message: messageFor(one, problems),
        ...revision,
        startedAt,
        finishedAt,
        sourceHydrator: one.spec.sourceHydrator,
      },
      ...(drySHA ? { lastComparedDryRevision: drySHA } : {}),
    }));
    await this.#removeRequests(applications);
  }

  async #write(applications: readonly Hydrated[], statusOf: (one: Hydrated) => HydrationStatus): Promise<void> {
    const { env } = this.#options;
    for (const one of applications) {
      const current = env.applications.get(keyOf(one)) ?? one;
      await writeChange(env, current, { status: { sourceHydrator: statusOf(one) } }, this.#signal);
    }
  }

  /** A requested hydration is done, whatever its result. */
  async #removeRequests(applications: readonly Hydrated[]): Promise<void> {
    const annotations = { 'argocd.argoproj.io/hydrate': null, 'argocd.argoproj.io/hydrate-timestamp': null };
    for (const one of applications) {
      if (one.metadata.annotations?.['argocd.argoproj.io/hydrate'] === undefined) continue;
      const body = { metadata: { annotations } };
      await this.#options.env.client.patch(applicationKind.type, keyOfApplication(one), 'merge', body);
    }
  }
}

/** An Application without a problem fails too: a commit has all of its group, or none. */
function messageFor(application: Application, problems: ReadonlyMap<string, string>): string {
  const [first = ''] = [...problems.keys()].sort();
  const others = problems.size > 1 ? `and ${problems.size - 1} more have errors` : 'has an error';
  const why = problems.get(keyOf(application)) ?? `cannot hydrate because application ${first} ${others}`;
  return `Failed to hydrate: ${why}`;
}

/** Credentials of one project are used only if all Applications are in it. */
function sharedProject(applications: readonly Application[]): string {
  const [first = '', ...others] = new Set(applications.map(({ spec }) => spec.project || 'default'));
  return others.length === 0 ? first : '';
}
