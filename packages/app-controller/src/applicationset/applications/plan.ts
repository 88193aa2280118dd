import type { Application, ApplicationSet } from '@fairlead/api';
import { messageOf, TypeMismatch } from '@fairlead/apimachinery';
import type { Jq } from '@fairlead/engine';
import { eachYielding } from '../../yielding.ts';
import type { AllowedChanges } from '../policy.ts';
import {
  changedApplication,
  isSameApplication,
  newApplication,
  normalizedLive,
  OwnedByAnother,
  type Preserved,
} from './desired.ts';
import { goSpec } from './go-shape.ts';
import { ignoring } from './ignore-differences.ts';
import { normalizeSpec } from './normalize-spec.ts';

export interface PlanInput {
  readonly set: ApplicationSet;
  /** What the generators give and is valid. */
  readonly generated: readonly Application[];
  /** The names of all that the generators give, also of what is not valid: these are not deleted. */
  readonly names: ReadonlySet<string>;
  /** The Applications that the ApplicationSet controls. */
  readonly current: readonly Application[];
  /** Any Application of the namespace, by name. */
  readonly find: (name: string) => Application | undefined;
  readonly allowed: AllowedChanges;
  readonly preserved: Preserved;
  readonly jq: Pick<Jq, 'paths'>;
}

export interface PlannedUpdate {
  readonly live: Application;
  /** The live Application without differences that mean nothing. */
  readonly from: Application;
  readonly to: Application;
}

/** What is to be done so that the Applications are as the ApplicationSet wants them. */
export interface ApplicationPlan {
  readonly create: Application[];
  readonly update: PlannedUpdate[];
  readonly delete: Application[];
  /** Why an Application cannot be as it should, by name. */
  readonly refused: Map<string, string>;
}

/** Live Applications that were found to be as a generated one wants them. */
const unchanged = new WeakMap<Application, { readonly application: Application; readonly wishes: string }>();

/** Compares generated Applications with those that there are. Writes nothing. */
export async function planApplications(input: PlanInput): Promise<ApplicationPlan> {
  const { set, generated, names, current, find, allowed, preserved, jq } = input;
  const plan: ApplicationPlan = { create: [], update: [], delete: [], refused: new Map() };
  const ignored = ignoring(set.spec.ignoreApplicationDifferences, jq);

  const wishes = JSON.stringify([set.metadata.uid, set.spec.ignoreApplicationDifferences, preserved]);

  async function compare(application: Application): Promise<void> {
    const { name } = application.metadata;
    const live = find(name);
    const known = live && unchanged.get(live);
    if (known?.application === application && known.wishes === wishes) return;
    if (!live) {
      plan.create.push(newApplication(set, application));
      return;
    }
    // Without leave to update, what others made stays as it is, too.
    if (!allowed.update) return;
    try {
      const from = normalizedLive(live);
      const changed = changedApplication(set, application, live, preserved);
      const to = ignored ? renormalized(await ignored.apply(changed, from)) : changed;
      if (!isSameApplication(from, to)) plan.update.push({ live, from, to });
      else unchanged.set(live, { application, wishes });
    } catch (error) {
      if (!(error instanceof OwnedByAnother || error instanceof TypeMismatch || isJqError(error))) throw error;
      plan.refused.set(name, messageOf(error));
    }
  }

  const sorted = [...generated].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  await eachYielding(sorted, async (some) => {
    for (const application of some) await compare(application);
  });
  if (allowed.delete) {
    for (const application of current) if (!names.has(application.metadata.name)) plan.delete.push(application);
  }
  return plan;
}

/** What is ignored may leave empty parts behind. */
const renormalized = (application: Application): Application => ({
  ...application,
  spec: normalizeSpec(goSpec(application.spec)),
});

/** Of an expression that cannot be used. */
const isJqError = (error: unknown): boolean => error instanceof Error && /^Jq/u.test(error.constructor.name);

/** The names of Applications whose spec is not yet what the ApplicationSet wants, ignored fields aside. */
export async function changedSpecs(
  { set, generated, find, jq }: Pick<PlanInput, 'set' | 'generated' | 'find' | 'jq'>,
  desiredSpec: (application: Application) => Application['spec'],
): Promise<Set<string>> {
  const changed = new Set<string>();
  const ignored = ignoring(set.spec.ignoreApplicationDifferences, jq);
  for (const application of generated) {
    const live = find(application.metadata.name);
    if (!live) continue;
    const from = normalizedLive(live);
    const desired = { ...from, spec: normalizeSpec(desiredSpec(application)) };
    const to = ignored ? renormalized(await ignored.apply(desired, from)) : desired;
    if (!isSameApplication(from, to)) changed.add(application.metadata.name);
  }
  return changed;
}
