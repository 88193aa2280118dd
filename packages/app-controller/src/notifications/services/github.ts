import { at, type JsonObject, listAt, numberAt, objectAt, textAt } from '@fairlead/apimachinery';
import { fullNameByRepoUrl } from '../environment/repository-names.ts';
import { jsonOf, shownBody } from '../http/http-message.ts';
import type { Notification } from '../templates/notification.ts';
import { GitHubApp } from './github-app.ts';
import { type CreateService, GiveUpError, is2xx, type SendContext } from './service.ts';

interface Call {
  readonly app: GitHubApp;
  /** `/repos/org/repo` */
  readonly repository: string;
  readonly revision: string;
  readonly message: string;
  readonly context: SendContext;
}

/** Commit statuses, deployments, comments, check runs and dispatches of GitHub; the recipient is not used. */
export const createGitHub: CreateService = (raw) => {
  const app = new GitHubApp(raw);
  return {
    async send(notification, _, context) {
      const part = objectAt(notification.parts, 'github');
      if (!part || !notification.github) throw new Error('the template has no part github');
      const call: Call = { app, context, ...targetOf(notification) };
      await createStatus(call, objectAt(part, 'status'));
      await createDeployment(call, objectAt(part, 'deployment'));
      await createComments(call, objectAt(part, 'pullRequestComment'));
      await createCheckRun(call, objectAt(part, 'checkRun'));
      await dispatch(call, objectAt(part, 'repositoryDispatch'));
    },
  };
};

function targetOf({ github, message }: Notification): Pick<Call, 'repository' | 'revision' | 'message'> {
  const { repoURL = '', revision = '' } = github ?? {};
  const [owner, name] = fullNameByRepoUrl(repoURL).split('/');
  if (!owner || !name) throw new Error(`github: ${repoURL} does not name an owner and a repository`);
  return { repository: `/repos/${owner}/${name}`, revision, message };
}

async function request(
  { app, repository, context }: Call,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await app.call(method, repository + path, body, context);
  if (!is2xx(answer.status))
    throw new StatusError(`github: ${method} ${repository}${path}`, answer.status, answer.body);
  return jsonOf(answer.body);
}

class StatusError extends Error {
  readonly status: number;

  constructor(what: string, status: number, body: string) {
    super(`${what} failed with status ${status}: ${textAt(jsonOf(body), 'message') || shownBody(body)}`);
    this.status = status;
  }
}

/** GitHub's limit for descriptions is 140 characters. */
function shortened(text: string, most: number): string {
  const chars = [...text];
  return chars.length > most ? `${chars.slice(0, most - 3).join('')}...` : text;
}

async function createStatus(call: Call, status: JsonObject | undefined): Promise<void> {
  if (!status) return;
  const body = {
    state: textAt(status, 'state'),
    target_url: textAt(status, 'targetURL'),
    description: shortened(call.message, 140),
    context: textAt(status, 'label'),
  };
  try {
    await request(call, 'POST', `/statuses/${call.revision}`, body);
  } catch (error) {
    if (error instanceof StatusError && error.status === 422)
      throw new GiveUpError(`github: commit ${call.revision} has too many statuses of ${body.context}`);
    throw error;
  }
}

async function createDeployment(call: Call, deployment: JsonObject | undefined): Promise<void> {
  if (!deployment) return;
  const environment = textAt(deployment, 'environment');
  const query = new URLSearchParams({ ...(environment ? { environment } : {}), ref: call.revision });
  const known = await request(call, 'GET', `/deployments?${query}`);
  const created = {
    ref: textAt(deployment, 'reference') || call.revision,
    auto_merge: at(deployment, 'autoMerge'),
    required_contexts: at(deployment, 'requiredContexts'),
    environment,
    transient_environment: at(deployment, 'transientEnvironment'),
  };
  const found = listAt({ known: known ?? [] }, 'known')[0] ?? (await request(call, 'POST', '/deployments', created));
  await request(call, 'POST', `/deployments/${numberAt(found, 'id')}/statuses`, {
    state: textAt(deployment, 'state'),
    log_url: textAt(deployment, 'logURL'),
    description: shortened(call.message, 140),
    environment,
    environment_url: textAt(deployment, 'environmentURL'),
  });
}

/** Comments on the pull requests of the commit. One with the same tag is changed instead. */
async function createComments(call: Call, comment: JsonObject | undefined): Promise<void> {
  if (!comment) return;
  const tag = textAt(comment, 'commentTag');
  const marker = `<!-- argocd-notifications ${tag} -->`;
  let body = shortened(textAt(comment, 'content'), 65536);
  const pulls = await request(call, 'GET', `/commits/${call.revision}/pulls`);
  for (const pull of listAt({ pulls: pulls ?? [] }, 'pulls')) {
    const path = `/issues/${numberAt(pull, 'number')}/comments`;
    if (tag !== '') {
      const comments = listAt({ all: (await request(call, 'GET', path)) ?? [] }, 'all');
      const known = comments.find((one) => textAt(one, 'body').includes(marker));
      if (known) {
        const changed = { ...objectAt({ known }, 'known'), body: `${body}\n${marker}` };
        await request(call, 'PATCH', `/issues/comments/${numberAt(known, 'id')}`, changed);
        continue;
      }
      body = `${body}\n${marker}`;
    }
    await request(call, 'POST', path, { body });
  }
}

async function createCheckRun(call: Call, run: JsonObject | undefined): Promise<void> {
  if (!run) return;
  const conclusion = textAt(run, 'conclusion');
  const status = textAt(run, 'status') || (conclusion === '' ? '' : 'completed');
  const [startedAt, completedAt] = [timeOf(run, 'started_at'), timeOf(run, 'completed_at')];
  if ((status === 'completed' || completedAt !== '') && conclusion === '')
    throw new Error('github: a check run that is completed needs a conclusion');
  const output = objectAt(run, 'output');
  await request(call, 'POST', '/check-runs', {
    name: textAt(run, 'name'),
    head_sha: call.revision,
    details_url: textAt(run, 'details_url'),
    external_id: 'argocd-notifications',
    ...(status ? { status } : {}),
    ...(conclusion ? { conclusion } : {}),
    ...(startedAt ? { started_at: startedAt } : {}),
    ...(completedAt ? { completed_at: completedAt } : {}),
    ...(output
      ? { output: { title: textAt(output, 'title'), summary: textAt(output, 'summary'), text: textAt(output, 'text') } }
      : {}),
  });
}

function timeOf(run: JsonObject, field: string): string {
  const time = textAt(run, field);
  if (time !== '' && Number.isNaN(Date.parse(time))) throw new Error(`github: ${field} is not a time: ${time}`);
  return time;
}

async function dispatch(call: Call, event: JsonObject | undefined): Promise<void> {
  if (!event) return;
  const payload = jsonOf(textAt(event, 'client_payload'));
  if (payload === undefined) throw new Error('github: client_payload is not valid JSON');
  await request(call, 'POST', '/dispatches', { event_type: textAt(event, 'event_type'), client_payload: payload });
}
