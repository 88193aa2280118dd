import type { ResourceStatus } from '@fairlead/api';
import { nameOf } from '../selection/find-application.ts';
import { clusterText, isAutomated, isBusy, objectText, shortRevision, syncWord } from '../tables/status-text.ts';
import { type Chapter, conditionsOf, type ExplainInput, type Reason, reason, sentence } from './reason.ts';

export function notSynced(input: ExplainInput): Chapter | undefined {
  const { application, window } = input;
  if (syncWord(application) !== 'OutOfSync') return undefined;
  const name = nameOf(application);
  const differing = (application.status?.resources ?? []).filter(({ status }) => status === 'OutOfSync');
  const prunes = differing.filter(({ requiresPruning }) => requiresPruning);
  const missing = differing.filter(({ health, requiresPruning }) => health?.status === 'Missing' && !requiresPruning);
  const changed = differing.filter((one) => !prunes.includes(one) && !missing.includes(one));
  const said = conditionsOf(input, /^OutOfSync$/u)[0] ?? '';
  const listed = (all: readonly ResourceStatus[]): string =>
    `${all.slice(0, 3).map(objectText).join(', ')}${all.length > 3 ? ` and ${all.length - 3} more` : ''}`;
  const reasons: Reason[] = [];
  if (changed.length > 0) {
    const fields = /differs in (.*?)(?:; and \d+ more)?$/u.exec(said)?.[1];
    reasons.push(
      reason(
        `${listed(changed)} ${changed.length === 1 ? 'differs' : 'differ'} from the source${fields && changed.length === 1 ? ` in ${fields}` : ''}.`,
      ),
    );
  }
  if (missing.length > 0)
    reasons.push(
      reason(
        `${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} in the source and not in ${clusterText(application)}.`,
      ),
    );
  if (prunes.length > 0)
    reasons.push(
      reason(`${listed(prunes)} ${prunes.length === 1 ? 'is' : 'are'} no longer in the source, and still there.`),
    );
  if (reasons.length === 0 && said) reasons.push(reason(sentence(said)));
  const next: string[] = [];
  const held = whyNotByItself(input, prunes.length === differing.length);
  reasons.push(...held.reasons);
  next.push(...held.next);
  if (window?.manual) next.push('a sync by hand is held by the window too');
  else if (prunes.length > 0)
    next.push(`fairlead app diff ${name} shows it, fairlead app sync ${name} --prune does it`);
  else next.push(`fairlead app diff ${name} shows it, fairlead app sync ${name} does it`);
  return { title: 'Why it is not in sync', reasons, next };
}

/** Why nobody has synced it yet. */
function whyNotByItself(
  { application, window }: ExplainInput,
  onlyPrunes: boolean,
): { reasons: Reason[]; next: string[] } {
  const name = nameOf(application);
  const { automated } = application.spec.syncPolicy ?? {};
  if (!isAutomated(application))
    return {
      reasons: [
        reason(
          automated?.enabled === false
            ? 'Automated sync is switched off.'
            : 'It is synced by hand, and nobody has done so since.',
        ),
      ],
      next: [],
    };
  if (window?.automated)
    return { reasons: [reason(sentence(`A sync window holds it: ${window.automated}`))], next: [] };
  if (onlyPrunes && !automated?.prune)
    return {
      reasons: [reason('Automated sync deletes nothing here: pruning is not switched on.')],
      next: [`let it prune by itself: fairlead app set ${name} --auto-prune`],
    };
  const errors = (application.status?.conditions ?? []).filter(({ type }) => type === 'SyncError');
  if (errors.length > 0) return { reasons: errors.map(({ message }) => reason(sentence(message))), next: [] };
  const synced = application.status?.operationState?.syncResult?.revision;
  const now = application.status?.sync?.revision;
  if (synced && synced === now && !automated?.selfHeal && !isBusy(application))
    return {
      reasons: [
        reason(`${shortRevision(now)} was synced, and the cluster was changed since; self-heal is not switched on.`),
      ],
      next: [`let it mend that by itself: fairlead app set ${name} --self-heal`],
    };
  return { reasons: [], next: [] };
}
