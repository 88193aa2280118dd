import { type Application, applicationKind } from '@fairlead/api';
import { isConflict, isNotFound, must } from '@fairlead/apimachinery';
import { type ApiClient, formatLimit, limitTable } from '@fairlead/kube';
import type { RepositoryCredentials } from '@fairlead/source';
import type { ApplicationPlan } from '../config/application-plan.ts';
import type { GitWriter } from '../git/git-writer.ts';
import { ImagesError } from '../images-error.ts';
import type { ForgeAccess } from '../pull-request/request-changes.ts';
import { fullNameWithTag } from '../reference/image-reference.ts';
import { verifySignature } from '../registry/cosign.ts';
import type { ImageRegistries } from '../registry/image-registries.ts';
import { asImagesError, decideUpdate, type UpdateDecision } from '../update/decide-update.ts';
import { sourceOf, withSource } from '../write-back/application-source.ts';
import { setImage } from '../write-back/set-image.ts';
import type { Template } from '../write-back/templates.ts';
import { emptyReport, type Report } from './report.ts';
import type { SharedTimeout } from './shared-timeout.ts';
import type { SlowRegistries } from './slow-registries.ts';
import type { WatchedApplication } from './watched-applications.ts';
import { jobFor } from './write-job.ts';
import { writePullRequest } from './write-pull-request.ts';

export type SecretReader = (namespace: string, name: string) => Promise<Readonly<Record<string, string>> | undefined>;

export interface UpdateEnv {
  /** How long the registries of an Application may take: `limits.imageUpdateMs`. */
  readonly deadline: SharedTimeout;
  readonly registries: ImageRegistries;
  readonly slowRegistries: SlowRegistries;
  readonly client: Pick<ApiClient, 'get' | 'patch'>;
  readonly writer: GitWriter;
  /** For pull requests. */
  readonly forges: ForgeAccess;
  readonly secret: SecretReader;
  /** Why stored credentials may not be used for a repository; undefined if they may. */
  repositoryProblem(application: Application, repository: string): string | undefined;
  /** The stored credentials of a repository that a project may use. */
  repositoryCredentials(repository: string, project: string): RepositoryCredentials | undefined;
  readonly commitTemplate: Template;
  /** Report what would be written, without writing. */
  readonly dryRun: boolean;
  /** Called before a new image is written. */
  readonly gate?: ImageGate;
}

/** Returns what new images wait for and when to check again; undefined if they may be written now. */
export type ImageGate = (
  application: Application,
  images: readonly string[],
) => Promise<{ readonly message: string; readonly requeueAfter: number } | undefined>;

/**
 * Updates one Application: writes newer images, or reports why not. Never throws. `onWaiting` is called when it waits for slow registries, or
 * when only the shared commit is left to wait for. The signal ends the wait for registries; nothing is written then.
 */
export async function updateApplication(
  env: UpdateEnv,
  entry: WatchedApplication,
  notBefore: number,
  onWaiting: () => void = () => {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Report> {
  const { plan, problem } = entry;
  if (!plan) return problem ? { ...emptyReport, problems: [{ image: '', error: problem }] } : emptyReport;
  let decision: UpdateDecision;
  try {
    decision = await withinDeadline(env.deadline, signal, () => decide(env, plan, notBefore, onWaiting));
  } catch (error) {
    if (signal.aborted) return emptyReport;
    return { ...emptyReport, problems: [{ image: '', error: asImagesError(error) }] };
  }
  const { considered, skipped, problems, changes } = decision;
  const report: Report = { ...emptyReport, considered, skipped, problems };
  if (changes.length === 0) return report;
  if (env.dryRun)
    return {
      ...report,
      held: changes.map(({ alias, image }) => ({
        image: alias || image.name,
        reason: `would become ${fullNameWithTag(image)}`,
      })),
    };
  try {
    const texts = changes.map(({ image }) => fullNameWithTag(image));
    const closed = await env.gate?.(plan.application, texts);
    if (closed) {
      const held = changes.map(({ alias, image }) => ({ image: alias || image.name, reason: closed.message }));
      return { ...report, held, requeueAfter: closed.requeueAfter };
    }
    return await write(env, plan, decision, report, onWaiting);
  } catch (error) {
    return {
      ...report,
      problems: [
        ...problems,
        { image: changes.map(({ alias, image }) => alias || image.name).join(', '), error: asImagesError(error) },
      ],
    };
  }
}

/** Asks the registries. Applications with the same image share a request, so it goes on when one of them is canceled. */
function decide(
  env: UpdateEnv,
  plan: ApplicationPlan,
  notBefore: number,
  release: () => void,
): Promise<UpdateDecision> {
  const decision = decideUpdate(plan, {
    select: (rule, namespace) => env.registries.select(rule, namespace, { notBefore }, plan.application.spec.project),
    async verify(rule, image, tag, namespace) {
      const { secretName, key } = must(rule.verification, 'the verification rule');
      const pem = (await env.secret(namespace, secretName))?.[key];
      if (pem === undefined)
        throw new ImagesError(
          'InvalidSettings',
          `Secret ${namespace}/${secretName} has no cosign key in the field ${key}`,
        );
      return verifySignature(image.client, image.repository, tag.name, pem);
    },
  });
  const registries = new Set(plan.rules.map(({ image }) => env.registries.registryOf(image)));
  return env.slowRegistries.during(registries, decision, release);
}

/** Registries that send a byte per second would delay an update for hours. It runs for each Application in each round, so it creates no signals. */
function withinDeadline<T>(deadline: SharedTimeout, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    const cancel = deadline.start(() => reject(overdue()));
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', onAbort);
    };
    run().then(
      (value) => {
        end();
        resolve(value);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
  });
}

const overdue = (): ImagesError =>
  new ImagesError(
    'RegistryUnavailable',
    `the registries did not answer within ${formatLimit(limitTable.imageUpdateMs)} (limit imageUpdateMs)`,
  );

async function write(
  env: UpdateEnv,
  plan: ApplicationPlan,
  decision: UpdateDecision,
  report: Report,
  onWaiting: () => void,
): Promise<Report> {
  if (plan.writeBack.method === 'argocd') {
    await writeToApplication(env, plan, decision);
    return { ...report, updated: decision.changes };
  }
  const { pullRequest } = plan.writeBack;
  if (pullRequest) return writePullRequest(env, plan, decision, pullRequest, report, onWaiting);
  const written = env.writer.write(await jobFor(env, plan, decision));
  onWaiting();
  const outcome = await written;
  if (outcome.kind === 'committed') return { ...report, updated: decision.changes, commit: outcome.commit };
  if (outcome.kind === 'unchanged') return report;
  return {
    ...report,
    held: decision.changes.map(({ alias, image }) => ({
      image: alias || image.name,
      reason: `${image.tag ?? ''}: ${outcome.reason}`,
    })),
  };
}

/** Sets the images in the Application's source. Retries on conflict; fails if the Application was replaced. */
async function writeToApplication(env: UpdateEnv, plan: ApplicationPlan, { changes }: UpdateDecision): Promise<void> {
  const { name, namespace = '', uid } = plan.application.metadata;
  let { application } = plan;
  for (let tries = 1; ; tries++) {
    const changed = changes.reduce<Application>((current, { alias, image }) => {
      const rule = plan.rules.find((each) => each.alias === alias && each.image.name === image.name);
      return rule ? setImage(current, image, plan.writeBack, rule) : current;
    }, application);
    const source = must(sourceOf(changed, plan.writeBack), 'the source of the Application');
    const { sources, source: single, sourceHydrator } = withSource(application.spec, source);
    const { resourceVersion } = application.metadata;
    // Not a merge patch, which would drop null values of a chart.
    const steps = [
      ...(resourceVersion ? [{ op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion }] : []),
      ...(sources ? [{ op: 'add', path: '/spec/sources', value: sources }] : []),
      ...(single ? [{ op: 'add', path: '/spec/source', value: single }] : []),
      ...(sourceHydrator ? [{ op: 'add', path: '/spec/sourceHydrator', value: sourceHydrator }] : []),
    ];
    try {
      await env.client.patch(applicationKind.type, { namespace, name }, 'json', steps, {
        fieldManager: 'image-updater',
      });
      return;
    } catch (error) {
      if (isNotFound(error)) throw new ImagesError('CannotWrite', `Application ${namespace}/${name} was deleted`);
      if (!isConflict(error) || tries >= 5) throw new ImagesError('CannotWrite', asImagesError(error).message);
    }
    application = await env.client.get<Application>(applicationKind.type, { namespace, name });
    if (application.metadata.uid !== uid)
      throw new ImagesError('CannotWrite', `Application ${namespace}/${name} was replaced`);
  }
}
