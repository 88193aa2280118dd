import type { Application, ApplicationSet } from '@fairlead/api';
import { heldDeletions } from './applications/deletion-brake.ts';
import { planApplications } from './applications/plan.ts';
import { validateApplications } from './applications/validate.ts';
import { generate } from './generate.ts';
import { knownClusters } from './known-clusters.ts';
import { allowedChanges } from './policy.ts';
import type { ApplicationSetEnv } from './reconcile-env.ts';

export interface PreviewedChange {
  readonly name: string;
  readonly before?: Application;
  readonly after?: Application;
}

/** What a reconcile would do, and why it would not do more. */
export interface Preview {
  readonly create: readonly PreviewedChange[];
  readonly update: readonly PreviewedChange[];
  readonly delete: readonly PreviewedChange[];
  readonly unchanged: number;
  /** What is wrong with generated Applications, by name: these are neither created nor changed. */
  readonly problems: ReadonlyMap<string, string>;
  /** Why the deletions would be held. */
  readonly held?: string;
}

export type PreviewEnv = Omit<ApplicationSetEnv, 'client' | 'events' | 'clock' | 'log'>;

/** Shows what an ApplicationSet would do to Applications. Writes nothing. Throws a GenerationFailed. */
export async function previewSet(env: PreviewEnv, set: ApplicationSet): Promise<Preview> {
  const { settings, objects, applications } = env;
  const { namespace = '', name } = set.metadata;
  const generated = await generate(set, env);
  const clusters = knownClusters(objects.clusterSecrets());
  const invalid = validateApplications(set, generated, {
    hasProject: (project) => env.project(project) !== undefined,
    clusters,
    inCluster: settings.inCluster,
  });
  const valid = generated.filter(({ metadata }) => !invalid.has(metadata.name));
  const current = applications.ownedBy(namespace, name);
  const { preservedFields } = set.spec;
  const plan = await planApplications({
    set,
    generated: valid,
    names: new Set(generated.map(({ metadata }) => metadata.name)),
    current,
    find: (one) => applications.get(namespace, one),
    allowed: allowedChanges(set, settings),
    preserved: {
      annotations: [...(preservedFields?.annotations ?? []), ...settings.preservedAnnotations],
      labels: [...(preservedFields?.labels ?? []), ...settings.preservedLabels],
    },
    jq: env.jq,
  });
  const deletions = plan.delete.filter(({ metadata }) => !metadata.deletionTimestamp);
  const held = heldDeletions(set, deletions, current.length, settings.maxDeletionPercent);
  return {
    create: plan.create.map((after) => ({ name: after.metadata.name, after })),
    update: plan.update.map(({ from, to }) => ({ name: to.metadata.name, before: from, after: to })),
    delete: deletions.map((before) => ({ name: before.metadata.name, before })),
    unchanged: valid.length - plan.create.length - plan.update.length - plan.refused.size,
    problems: new Map([...invalid, ...plan.refused]),
    ...(held === undefined ? {} : { held }),
  };
}
