import type { ResourceStatus } from '@fairlead/api';
import { clusterText, isAutomated, isBusy, nameOf, objectText, shortRevision, syncWord } from './application-text.ts';
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
        `${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} in the source but not in ${clusterText(application)}.`,
      ),
    );
  if (prunes.length > 0)
    reasons.push(
      reason(
        `${listed(prunes)} ${prunes.length === 1 ? 'is' : 'are'} no longer in the source but still in the cluster.`,
      ),
    );
  const refused = conditionsOf(input, /^NotPermittedWarning$/u);
  reasons.push(...refused.map((text) => reason(sentence(text))));
  if (reasons.length === 0 && said) reasons.push(reason(sentence(said)));
  const next: string[] = [];
  const held = whyNotByItself(input, prunes.length === differing.length);
  reasons.push(...held.reasons);
  next.push(...held.next);
  if (window?.manual) next.push('the window blocks manual syncs too');
  else if (prunes.length > 0)
    next.push(`fairlead app diff ${name} shows the difference, fairlead app sync ${name} --prune deletes it`);
  else next.push(`fairlead app diff ${name} shows the difference, fairlead app sync ${name} applies it`);
  return { title: 'Why it is out of sync', reasons, next };
}

/** Why it was not synced yet. */
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
            ? 'Automated sync is disabled.'
            : 'It is synced manually, and was not synced since.',
        ),
      ],
      next: [],
    };
  if (window?.automated)
    return { reasons: [reason(sentence(`A sync window blocks it: ${window.automated}`))], next: [] };
  if (onlyPrunes && !automated?.prune)
    return {
      reasons: [reason('Automated sync does not prune: auto-prune is disabled.')],
      next: [`enable pruning: fairlead app set ${name} --auto-prune`],
    };
  const errors = (application.status?.conditions ?? []).filter(({ type }) => type === 'SyncError');
  if (errors.length > 0) return { reasons: errors.map(({ message }) => reason(sentence(message))), next: [] };
  const synced = application.status?.operationState?.syncResult?.revision;
  const now = application.status?.sync?.revision;
  if (synced && synced === now && !automated?.selfHeal && !isBusy(application))
    return {
      reasons: [
        reason(`${shortRevision(now)} was synced, and the live state has drifted since; self-heal is disabled.`),
      ],
      next: [`enable self-heal: fairlead app set ${name} --self-heal`],
    };
  return { reasons: [], next: [] };
}
