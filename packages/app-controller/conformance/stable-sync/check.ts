import type { Application } from '@fairlead/api';
import { at, type KubeObject } from '@fairlead/apimachinery';
import type { CaseResult } from '../../../../scripts/conformance.ts';
import type { Target } from '../harness/target.ts';
import type { CaseApplication } from './application.ts';
import type { StableCase } from './cases.ts';
import { defineMissingKinds } from './missing-kinds.ts';
import { createMissingNamespaces } from './missing-namespaces.ts';
import { refusalOf } from './refusal.ts';

export type Outcome = Pick<CaseResult, 'passed' | 'skipped' | 'detail'>;

const failed = (detail: string): Outcome => ({ passed: false, detail });

/** Syncs an application once; after that it must stay Synced, and self-heal must find nothing to do. */
export async function check(theCase: StableCase, app: CaseApplication, target: Target): Promise<Outcome> {
  const created = await app.create();
  const random = condition(created, 'NondeterministicWarning');
  if (random) return { passed: true, skipped: random };
  const broken = condition(created, 'ComparisonError') ?? condition(created, 'InvalidSpecError');
  if (broken) return failed(broken);
  await createMissingNamespaces(target.destination, created);
  await defineMissingKinds(target, created);
  const synced = await app.sync();
  const state = synced.status?.operationState;
  if (state?.phase !== 'Succeeded') {
    const refusal = (await refusalOf(target, synced, theCase)) ?? awaitedOperator(state?.message ?? '');
    return refusal ? { passed: true, skipped: refusal } : failed(`the sync ended ${state?.phase}: ${state?.message}`);
  }
  for (const which of ['first', 'second']) {
    const refreshed = await app.refresh();
    const expired = expiredJob(refreshed, theCase.manifests());
    if (expired) return { passed: true, skipped: `Job ${expired} is deleted when it has finished` };
    const differing = differencesOf(refreshed);
    const unknown = condition(refreshed, 'UnknownFieldWarning');
    if (differing && unknown) return { passed: true, skipped: unknown };
    if (differing) return failed(`at the ${which} refresh after the sync:\n${differing}`);
  }
  await app.automate();
  await target.pass(60_000);
  const { operation, status } = await app.get();
  if (operation || status?.operationState?.startedAt !== state.startedAt)
    return failed(`self-heal synced: ${JSON.stringify(operation ?? status?.operationState?.operation)}`);
  const differing = differencesOf(await app.refresh());
  return differing ? failed(`after a minute of self-heal:\n${differing}`) : { passed: true };
}

const condition = ({ status }: Application, type: string): string | undefined =>
  status?.conditions?.find((one) => one.type === type)?.message;

/** A sync that waits for a custom resource to be healthy, which only its operator can make it. */
const awaitedOperator = (message: string): string | undefined =>
  /^waiting for healthy state of [\w-]+(?:\.[\w-]+)+\//u.test(message) && !/\.k8s\.io\//u.test(message)
    ? message
    : undefined;

/**
 * A Job that the cluster has deleted because of its `ttlSecondsAfterFinished`: the application is OutOfSync, and a sync would create the
 * Job again.
 */
function expiredJob({ status }: Application, manifests: readonly KubeObject[]): string | undefined {
  const missing = status?.resources?.filter((one) => one.kind === 'Job' && one.status === 'OutOfSync') ?? [];
  return missing.find(({ name }) =>
    manifests.some(
      (one) =>
        one.kind === 'Job' && one.metadata.name === name && at(one, 'spec', 'ttlSecondsAfterFinished') !== undefined,
    ),
  )?.name;
}

/** The reason why an application is not Synced. */
function differencesOf({ status }: Application): string | undefined {
  if (status?.sync?.status === 'Synced') return undefined;
  const resources = (status?.resources ?? []).filter((one) => one.status !== undefined && one.status !== 'Synced');
  return [
    `the application is ${status?.sync?.status}`,
    ...resources.map(
      ({ group = '', kind, namespace = '', name, status: code }) => `${code} ${group}/${kind} ${namespace}/${name}`,
    ),
    ...(status?.conditions ?? []).map(({ type, message }) => `${type}: ${message}`),
  ].join('\n');
}
