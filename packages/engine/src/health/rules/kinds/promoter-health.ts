import { type Json, type KubeObject, listAt, textAt } from '@fairlead/apimachinery';
import { type Health, health } from '../../health.ts';
import type { HealthCheck } from '../rule.ts';

const risk = (waiting: string, consequence: string): string =>
  `Waiting ${waiting}. Risk if removed manually: ${consequence}.`;
const orphaned = 'GitRepository objects can reference a provider that no longer exists';

/** What a finalizer of the promoter waits for, and the effect of removing it manually. */
const finalizers: Readonly<Record<string, string>> = {
  'changetransferpolicy.promoter.argoproj.io/finalizer': risk(
    'to clear related PullRequest finalizers and finish cleanup before this policy is removed',
    "The 'changetransferpolicy.promoter.argoproj.io/pullrequest-finalizer' finalizer may not be cleaned up from PullRequests owned by this ChangeTransferPolicy",
  ),
  'changetransferpolicy.promoter.argoproj.io/pullrequest-finalizer': risk(
    'for the ChangeTransferPolicy to observe PR identity and state',
    'promotion status or history can be wrong or racy',
  ),
  'clusterscmprovider.promoter.argoproj.io/finalizer': risk(
    'until no GitRepository still references this cluster-wide SCM provider',
    orphaned,
  ),
  'gitrepository.promoter.argoproj.io/finalizer': risk(
    'until no non-deleting PullRequests still reference this repository',
    'repository metadata may be removed while promotions still depend on it',
  ),
  'pullrequest.promoter.argoproj.io/finalizer': risk(
    'for SCM closure or reconciliation of the pull request',
    'the real PR can stay open after the CR is gone',
  ),
  'scmprovider.promoter.argoproj.io/finalizer': risk(
    'until no GitRepository in this namespace still references this provider',
    orphaned,
  ),
};

export const beingDeleted =
  (name?: string): HealthCheck =>
  (object) => {
    if (textAt(object, 'metadata', 'deletionTimestamp') === '') return undefined;
    const held = listAt(object, 'metadata', 'finalizers')
      .filter((finalizer) => typeof finalizer === 'string')
      .filter((finalizer) => Object.hasOwn(finalizers, finalizer))
      .map((finalizer) => `${finalizer}: ${finalizers[finalizer]}`);
    return health(
      'Progressing',
      [`${name ?? object.kind} is being deleted`, held.join(' ')].filter(Boolean).join('. '),
    );
  };

/** The environment moves from the active dry commit to the proposed one. */
export function changeTransfer(object: KubeObject): Health {
  const [active, proposed] = ['active', 'proposed'].map((side) => textAt(object, 'status', side, 'dry', 'sha'));
  if (!active) return health('Progressing', 'The active commit DRY SHA is missing or empty.');
  if (!proposed) return health('Progressing', 'The proposed commit DRY SHA is missing or empty.');
  if (active !== proposed) {
    const tally = tallyOf(listAt(object, 'status', 'proposed', 'commitStatuses'));
    return health(
      'Progressing',
      `Promotion in progress from '${short(active)}' to '${short(proposed)}': ${tally.summary}`,
    );
  }
  const tally = tallyOf(listAt(object, 'status', 'active', 'commitStatuses'));
  return tally.open
    ? health(
        'Healthy',
        `Environment is up-to-date, but there are non-successful active commit statuses: ${tally.summary}`,
      )
    : health('Healthy', `Environment is up-to-date on commit ${short(active)}.`);
}

/** The hydrator note determines the proposed commit; without one, the commit itself. */
const proposedIn = (environment: Json): string =>
  textAt(environment, 'proposed', 'note', 'drySha') || textAt(environment, 'proposed', 'dry', 'sha');
const activeIn = (environment: Json): string => textAt(environment, 'active', 'dry', 'sha');

/** A commit moves from environment to environment; the message names the first that does not have it yet. */
export function promotionStrategy(object: KubeObject): Health {
  const environments = listAt(object, 'status', 'environments');
  const [first] = environments;
  if (first === undefined) return health('Degraded', 'Promotion strategy has no environments configured');
  for (const environment of environments) {
    const lacks = activeIn(environment) === '' ? 'active' : proposedIn(environment) === '' ? 'proposed' : undefined;
    if (lacks)
      return health(
        'Progressing',
        `The ${lacks} commit DRY SHA is missing or empty in environment '${textAt(environment, 'branch')}'.`,
      );
  }
  if (environments.some((environment) => proposedIn(environment) !== proposedIn(first))) {
    return health(
      'Progressing',
      'Not all environments have the same proposed commit SHA. This likely means the hydrator has not run for all environments yet.',
    );
  }
  // A hydrator note without a commit is not a promotion: the commit that would be promoted is the active one.
  const moving = environments.find((one) => textAt(one, 'proposed', 'dry', 'sha') !== activeIn(one));
  if (moving !== undefined) {
    const [from, to] = [activeIn(moving), textAt(moving, 'proposed', 'dry', 'sha')];
    const { summary } = tallyOf(listAt(moving, 'proposed', 'commitStatuses'));
    return health(
      'Progressing',
      `Promotion in progress for environment '${textAt(moving, 'branch')}' from '${short(from)}' to '${short(to)}': ${summary}Hydrator has processed dry commit '${short(proposedIn(moving))}'. `,
    );
  }
  const unfinished = environments.flatMap((environment) => {
    const phases = listAt(environment, 'active', 'commitStatuses').map((status) => textAt(status, 'phase'));
    const [failed, pending] = ['failure', 'pending'].map((phase) => phases.filter((one) => one === phase).length);
    return failed || pending ? [`${textAt(environment, 'branch')} (${failed} failed, ${pending} pending)`] : [];
  });
  if (unfinished.length > 0) {
    return health(
      'Healthy',
      `Environments are up-to-date, but some environments have non-successful commit statuses: ${unfinished.join(', ')}.`,
    );
  }
  return health(
    'Healthy',
    `All environments are up-to-date on commit '${short(activeIn(first))}'. Hydrator has processed dry commit '${short(proposedIn(first))}'.`,
  );
}

const short = (sha: string): string => sha.slice(0, 7);

function tallyOf(statuses: readonly Json[]): { readonly open: boolean; readonly summary: string } {
  const keysIn = (phase: string): readonly string[] =>
    statuses.filter((status) => textAt(status, 'phase') === phase).map((status) => textAt(status, 'key'));
  const [pending, successful, failed] = [keysIn('pending'), keysIn('success'), keysIn('failure')];
  const named = (what: string, keys: readonly string[]): string =>
    keys.length === 0 ? '' : `${what} commit statuses: ${keys.join(', ')}. `;
  const counts = `${pending.length} pending, ${successful.length} successful, ${failed.length} failed. `;
  return {
    open: pending.length + failed.length > 0,
    summary: counts + named('Pending', pending) + named('Failed', failed),
  };
}
