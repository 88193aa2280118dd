import type { ApplicationPlan } from '../config/application-plan.ts';
import type { PullRequestSettings } from '../config/write-back.ts';
import { forges } from '../pull-request/forges.ts';
import { pullRequestFor } from '../pull-request/pull-request.ts';
import { openPullRequests, requestChange } from '../pull-request/request-changes.ts';
import type { UpdateDecision } from '../update/decide-update.ts';
import { pullRequestBranchPrefix, targetKey } from '../write-back/templates.ts';
import type { Report } from './report.ts';
import type { UpdateEnv } from './update-application.ts';
import { jobFor } from './write-job.ts';

type PullRequestEnv = Pick<
  UpdateEnv,
  'secret' | 'repositoryCredentials' | 'repositoryProblem' | 'commitTemplate' | 'writer' | 'forges'
>;

/** Commits the change to a separate branch, and opens a pull request for it. Until that is merged, the images are reported as held. */
export async function writePullRequest(
  env: PullRequestEnv,
  plan: ApplicationPlan,
  decision: UpdateDecision,
  settings: PullRequestSettings,
  report: Report,
  onWaiting: () => void,
): Promise<Report> {
  const job = await jobFor(env, plan, decision);
  const { provider, api, labels } = settings;
  const { repository, credentials } = job;
  // First, so that nothing is pushed with credentials or an address that cannot open a pull request.
  const requests = await openPullRequests(env.forges, forges[provider], { repository, credentials, api });
  const written = env.writer.write(job);
  onWaiting();
  const outcome = await written;
  const hold = (reason: string): Report => ({
    ...report,
    held: decision.changes.map(({ alias, image }) => ({
      image: alias || image.name,
      reason: `${image.tag ?? ''}: ${reason}`,
    })),
  });
  if (outcome.kind === 'held') return hold(outcome.reason);
  if (outcome.branch === outcome.base) return report;
  const { name, namespace = '' } = plan.application.metadata;
  const request = pullRequestFor({
    namespace,
    application: name,
    base: outcome.base,
    head: outcome.branch,
    commitMessage: job.message,
    labels,
  });
  const isNew = outcome.kind === 'committed';
  const branchPrefix = pullRequestBranchPrefix(targetKey(plan.writeBack));
  const requested = await requestChange(requests, { request, branchPrefix, isNew });
  if (requested.kind === 'rejected')
    return hold(`${requested.url} was closed without merging it: not requested again until there is a newer image`);
  for (const { head } of requested.superseded) await env.writer.deleteBranch(job, head);
  if (outcome.kind === 'unchanged') return hold(`waits until ${requested.url} is merged`);
  return { ...report, updated: decision.changes, commit: outcome.commit, pullRequest: requested.url };
}
