import type { Application, ImageUpdater } from '@fairlead/api';
import { type ApplicationPlan, isAnnotated, planFor, planFromAnnotations, refFor } from '../config/application-plan.ts';
import { nameMatches } from '../config/application-refs.ts';
import { ImagesError } from '../images-error.ts';

/** An Application that is to be looked at, with what is asked for it. */
export interface Watched {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Where changes go, for caps: the repository, or the Application itself. */
  readonly repository: string;
  readonly application: Application;
  /** The resource that asks for it; undefined where its own annotations do. */
  readonly updater: ImageUpdater | undefined;
  readonly plan: ApplicationPlan | undefined;
  /** Why it cannot be looked at at all. */
  readonly problem: ImagesError | undefined;
}

export interface WatchOptions {
  readonly controllerNamespace: string;
  /** Applications that no resource names and that have an `image-list` are watched too. */
  readonly annotations: boolean;
}

/** Which Applications are watched, and what is wrong with resources that name them. */
export function watchedApplications(
  applications: readonly Application[],
  updaters: readonly ImageUpdater[],
  options: WatchOptions,
): { readonly watched: readonly Watched[]; readonly broken: ReadonlyMap<ImageUpdater, ImagesError> } {
  const broken = new Map<ImageUpdater, ImagesError>();
  const byNamespace = new Map<string, ImageUpdater[]>();
  for (const updater of updaters) {
    const problem = problemOf(updater);
    if (problem) broken.set(updater, problem);
    else {
      const namespace = updater.metadata.namespace ?? '';
      byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), updater]);
    }
  }
  const watched = applications.flatMap((application) => {
    if (application.metadata.deletionTimestamp) return [];
    const candidates = byNamespace.get(application.metadata.namespace ?? '') ?? [];
    const updater = candidates.find(({ spec }) => refFor(application, spec!.applicationRefs));
    if (!updater && !(options.annotations && isAnnotated(application))) return [];
    return [entryOf(application, updater, options)];
  });
  return { watched, broken };
}

/**
 * The same, again and again: what was worked out for an Application is kept as long as neither it nor any resource has changed. A tick
 * over ten thousand of them should cost next to nothing.
 */
export class Watchlist {
  readonly #options: WatchOptions;
  #resources = '';
  #known = new WeakMap<Application, readonly Watched[]>();

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  list(
    applications: readonly Application[],
    updaters: readonly ImageUpdater[],
  ): ReturnType<typeof watchedApplications> {
    const resources = JSON.stringify(
      updaters.map(({ metadata }) => [metadata.uid, metadata.generation ?? metadata.resourceVersion]),
    );
    if (resources !== this.#resources) {
      this.#resources = resources;
      this.#known = new WeakMap();
    }
    const changed = applications.filter((application) => !this.#known.has(application));
    const { watched, broken } = watchedApplications(changed, updaters, this.#options);
    const found = new Map(watched.map((entry) => [entry.application, [entry]]));
    for (const application of changed) this.#known.set(application, found.get(application) ?? []);
    return { watched: applications.flatMap((application) => this.#known.get(application)!), broken };
  }
}

function problemOf({ spec }: ImageUpdater): ImagesError | undefined {
  try {
    if (!spec || spec.applicationRefs.length === 0)
      throw new ImagesError('InvalidSettings', 'spec.applicationRefs names no application');
    for (const { namePattern } of spec.applicationRefs) nameMatches('any', namePattern);
    return undefined;
  } catch (error) {
    if (error instanceof ImagesError) return error;
    throw error;
  }
}

function entryOf(
  application: Application,
  updater: ImageUpdater | undefined,
  { controllerNamespace }: WatchOptions,
): Watched {
  const { namespace = '', name, uid = '' } = application.metadata;
  const base = { key: `${namespace}/${name}`, namespace, name, uid, application, updater };
  try {
    const plan = updater
      ? planFor(application, updater.spec!, controllerNamespace)
      : planFromAnnotations(application, controllerNamespace);
    return { ...base, plan, problem: undefined, repository: plan?.writeBack.repository || base.key };
  } catch (error) {
    if (!(error instanceof ImagesError)) throw error;
    return { ...base, plan: undefined, problem: error, repository: base.key };
  }
}
