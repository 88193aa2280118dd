import type { Json, KubeObject } from '@fairlead/kube';
import { listAt, textAt } from '../../../json-at.ts';
import { type Health, health } from '../../health.ts';
import type { Judge } from '../rule.ts';

const risk = (waiting: string, consequence: string): string =>
  `Waiting ${waiting}. Risk if removed manually: ${consequence}.`;
const orphaned = 'GitRepository objects can reference a provider that no longer exists';

/** What a finalizer of the promoter waits for, and what comes of taking it off by hand. */
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
  (name?: string): Judge =>
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
      `Promotion in progress from '${short(active)}' to '${short(proposed)}': ${tally.told}`,
    );
  }
  const tally = tallyOf(listAt(object, 'status', 'active', 'commitStatuses'));
  return tally.open
    ? health('Healthy', `Environment is up-to-date, but there are non-successful active commit statuses: ${tally.told}`)
    : health('Healthy', `Environment is up-to-date on commit ${short(active)}.`);
}

const short = (sha: string): string => sha.slice(0, 7);

function tallyOf(statuses: readonly Json[]): { readonly open: boolean; readonly told: string } {
  const keysIn = (phase: string): readonly string[] =>
    statuses.filter((status) => textAt(status, 'phase') === phase).map((status) => textAt(status, 'key'));
  const [pending, successful, failed] = [keysIn('pending'), keysIn('success'), keysIn('failure')];
  const named = (what: string, keys: readonly string[]): string =>
    keys.length === 0 ? '' : `${what} commit statuses: ${keys.join(', ')}. `;
  const counts = `${pending.length} pending, ${successful.length} successful, ${failed.length} failed. `;
  return {
    open: pending.length + failed.length > 0,
    told: counts + named('Pending', pending) + named('Failed', failed),
  };
}
