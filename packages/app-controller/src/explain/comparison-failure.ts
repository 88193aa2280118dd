import type { Application } from '@fairlead/api';
import { sourcesOf } from './application-text.ts';

/** What failed when source and cluster could not be compared: reading the repository, rendering, or the cluster. */
export type FailedPart = 'repository' | 'render' | 'cluster';

/** Messages of servers of repositories and of the network. Everything else that a source causes is a problem of its content. */
const repositoryProblem =
  /failed to list refs|unable to resolve '|revision not found|repository not found|was not found$|authentication required|credentials were refused|certificate was not accepted|host key|its address is not permitted|the server (?:refused|answered|is rate-limiting|did not send|does not speak|sends more)|took longer than|timed? ?out|ECONN|ENOTFOUND|EAI_AGAIN|resolve host|remote repository|unable to access|has no (?:branch|tag|commit|version|chart|HEAD)|is not signed|signature by one of|repositories on the controller’s own disk|does not appear to be a git repository/iu;

/** Which part a ComparisonError is about. Its message is that of Argo CD, and the only thing that the status has. */
export function failedPart(message: string, application: Application): FailedPart {
  if (!message.startsWith('Failed to load target state')) return 'cluster';
  const said = message.replace(/^.*?rpc error: code = \w+ desc = /su, '');
  const isAboutUrl = sourcesOf(application).some(({ repoURL }) => said.startsWith(`${repoURL}:`));
  return isAboutUrl || repositoryProblem.test(said) ? 'repository' : 'render';
}
