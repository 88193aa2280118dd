import type { Application, ImageUpdater } from '@fairlead/api';
import { getOrCreate } from '@fairlead/apimachinery';
import { type ApplicationPlan, isAnnotated, planFor, planFromAnnotations, refFor } from '../config/application-plan.ts';
import { nameMatches } from '../config/application-refs.ts';
import { ImagesError } from '../images-error.ts';

/** An Application with its image update plan. */
export interface WatchedApplication {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The write-back repository, or the Application's own key; the repository cap counts by it. */
  readonly repository: string;
  readonly application: Application;
  /** The ImageUpdater that selects it; undefined if its own annotations do. */
  readonly updater: ImageUpdater | undefined;
  readonly plan: ApplicationPlan | undefined;
  /** Why it has no plan. */
  readonly problem: ImagesError | undefined;
}

export interface WatchOptions {
  readonly controllerNamespace: string;
  /** Whether to watch Applications with an `image-list` annotation that no ImageUpdater selects. */
  readonly annotations: boolean;
}

/** The watched Applications, and the ImageUpdaters that are invalid. */
export function watchedApplications(
  applications: readonly Application[],
  updaters: readonly ImageUpdater[],
  options: WatchOptions,
): { readonly watched: readonly WatchedApplication[]; readonly broken: ReadonlyMap<ImageUpdater, ImagesError> } {
  const broken = new Map<ImageUpdater, ImagesError>();
  const byNamespace = new Map<string, ImageUpdater[]>();
  for (const updater of updaters) {
    const problem = problemOf(updater);
    if (problem) broken.set(updater, problem);
    else {
      getOrCreate(byNamespace, updater.metadata.namespace ?? '', (): ImageUpdater[] => []).push(updater);
    }
  }
  const watched = applications.flatMap((application) => {
    if (application.metadata.deletionTimestamp) return [];
    const candidates = byNamespace.get(application.metadata.namespace ?? '') ?? [];
    const updater = candidates.find(({ spec }) => refFor(application, spec?.applicationRefs ?? []));
    if (!updater && !(options.annotations && isAnnotated(application))) return [];
    return [entryOf(application, updater, options)];
  });
  return { watched, broken };
}

/**
 * Caches the plan of each Application until it or any ImageUpdater changes, so that a tick over ten thousand Applications is cheap.
 */
export class Watchlist {
  readonly #options: WatchOptions;
  #resources = '';
  #known = new WeakMap<Application, readonly WatchedApplication[]>();

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
    return { watched: applications.flatMap((application) => this.#known.get(application) ?? []), broken };
  }
}

function problemOf({ spec }: ImageUpdater): ImagesError | undefined {
  try {
    if (!spec || spec.applicationRefs.length === 0)
      throw new ImagesError('InvalidSettings', 'spec.applicationRefs is empty');
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
): WatchedApplication {
  const { namespace = '', name, uid = '' } = application.metadata;
  const base = { key: `${namespace}/${name}`, namespace, name, uid, application, updater };
  try {
    const plan = updater
      ? planFor(application, updater.spec ?? { applicationRefs: [] }, controllerNamespace)
      : planFromAnnotations(application, controllerNamespace);
    return { ...base, plan, problem: undefined, repository: plan?.writeBack.repository || base.key };
  } catch (error) {
    if (!(error instanceof ImagesError)) throw error;
    return { ...base, plan: undefined, problem: error, repository: base.key };
  }
}
