import { type ApplicationSet, applicationSetKind, type Generator } from '@fairlead/api';
import { isNotFound, keyOf } from '@fairlead/apimachinery';
import type { ApiClient, Logger } from '@fairlead/kube';
import { isPushedTo } from '../webhook/affected.ts';
import { hostOf, type PullRequestChange } from '../webhook/pull-request-change.ts';
import type { Push } from '../webhook/push.ts';
import { refreshAnnotation } from './generators/git.ts';
import { allGenerators } from './requeue.ts';

/** What a Git host reports, as far as generators read it. */
export type ForgeEvent = { readonly push: Push } | { readonly pullRequest: PullRequestChange };

/**
 * Whether the generators of an ApplicationSet may give something else after an event. A field with a template counts as any value: it is
 * known only when the generators run. A plugin may read anything.
 */
export const concernsGenerators = (set: ApplicationSet, event: ForgeEvent): boolean =>
  allGenerators(set).some((generator) => {
    if (generator.plugin) return true;
    return 'push' in event ? readsPush(generator, event.push) : readsPullRequest(generator, event.pullRequest);
  });

const isTemplate = (text: string): boolean => text.includes('{{');

function readsPush({ git }: Generator, push: Push): boolean {
  if (!git || push.isArtifact) return false;
  const { repoURL, revision = '' } = git;
  if (isTemplate(repoURL)) return true;
  return isPushedTo({ repoURL, targetRevision: revision }, isTemplate(revision) ? { ...push, everyRef: true } : push);
}

function readsPullRequest(
  { pullRequest }: Generator,
  { forge, host, owner, repositories }: PullRequestChange,
): boolean {
  const same = (text: string, others: readonly string[]): boolean =>
    isTemplate(text) || others.some((other) => other.toLowerCase() === text.toLowerCase());
  const isAt = (address: string): boolean => isTemplate(address) || hostOf(address) === host;
  const { github, gitlab, gitea, azuredevops } = pullRequest ?? {};
  switch (forge) {
    case 'github':
      if (!github) return false;
      return (
        same(github.owner, [owner]) && same(github.repo, repositories) && isAt(github.api || 'https://api.github.com/')
      );
    case 'gitea':
      return gitea !== undefined && same(gitea.owner, [owner]) && same(gitea.repo, repositories) && isAt(gitea.api);
    case 'gitlab':
      return gitlab !== undefined && same(gitlab.project, repositories) && isAt(gitlab.api || 'https://gitlab.com/');
    case 'azuredevops':
      return azuredevops !== undefined && same(azuredevops.project, [owner]) && same(azuredevops.repo, repositories);
  }
}

/** Asks for a refresh of ApplicationSets by their annotation, so that the controller sees it in whichever process it runs. */
export async function requestSetRefreshes(
  client: Pick<ApiClient, 'patch'>,
  sets: readonly ApplicationSet[],
  log: Logger,
): Promise<void> {
  const waiting = sets.filter(({ metadata }) => metadata.annotations?.[refreshAnnotation] === undefined);
  if (waiting.length > 0) log.info('a webhook concerns ApplicationSets', { applicationSets: waiting.length });
  for (const set of waiting) {
    const { namespace = '', name } = set.metadata;
    const patch = { metadata: { annotations: { [refreshAnnotation]: 'true' } } };
    try {
      await client.patch<ApplicationSet>(applicationSetKind.type, { namespace, name }, 'merge', patch);
    } catch (error) {
      if (!isNotFound(error)) log.warn('a refresh could not be requested', { applicationSet: keyOf(set), error });
    }
  }
}
