import { type Application, applicationKind } from '@fairlead/api';
import { type ApiError, isConflict, isNotFound } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import type { RepositoryCredentials } from '@fairlead/source';
import type { ApplicationPlan } from '../config/application-plan.ts';
import type { GitWriter } from '../git/git-writer.ts';
import { ImagesError } from '../images-error.ts';
import { fullNameWithTag } from '../reference/image-reference.ts';
import { verifySignature } from '../registry/cosign.ts';
import type { ImageRegistries } from '../registry/image-registries.ts';
import { asImagesError, decideUpdate, type UpdateDecision } from '../update/update-application.ts';
import { sourceOf, withSource } from '../write-back/application-source.ts';
import { setImage } from '../write-back/set-image.ts';
import type { Template } from '../write-back/templates.ts';
import { emptyReport, type Report } from './report.ts';
import type { Watched } from './watched.ts';
import { jobFor } from './write-job.ts';

export type SecretReader = (namespace: string, name: string) => Promise<Readonly<Record<string, string>> | undefined>;

export interface LookWorld {
  readonly registries: ImageRegistries;
  readonly client: Pick<ApiClient, 'get' | 'patch'>;
  readonly writer: GitWriter;
  readonly secret: SecretReader;
  /** Why the credentials that the control plane has stored may not be used for a repository; undefined where they may. */
  whyNotWritten(application: Application, repository: string): string | undefined;
  /** What the control plane has stored for a repository, as far as a project may use it. */
  repositoryCredentials(repository: string, project: string): RepositoryCredentials | undefined;
  readonly commitTemplate: Template;
  /** Look and say, and write nothing. */
  readonly dryRun: boolean;
  /** Asked before anything is written. Absent: nothing is waited for. */
  readonly gate?: ImageGate;
}

/** Whether images may be rolled out now; while they may not, why not, and when to ask again. */
export type ImageGate = (
  application: Application,
  images: readonly string[],
) => Promise<{ readonly message: string; readonly requeueAfter: number } | undefined>;

/**
 * One look at one Application: what is newer is written, or why not is said. Never throws. `waits` is called when all that is left is to wait
 * for the commit that this change will be a part of.
 */
export async function lookAtApplication(
  world: LookWorld,
  entry: Watched,
  notBefore: number,
  waits: () => void = () => {},
): Promise<Report> {
  const { plan, problem } = entry;
  if (!plan) return problem ? { ...emptyReport, problems: [{ image: '', error: problem }] } : emptyReport;
  let decision: UpdateDecision;
  try {
    decision = await decideUpdate(plan, {
      select: (rule, namespace) => world.registries.select(rule, namespace, { notBefore }),
      async verify(rule, image, tag, namespace) {
        const { secretName, key } = rule.verification!;
        const pem = (await world.secret(namespace, secretName))?.[key];
        if (pem === undefined)
          throw new ImagesError(
            'InvalidSettings',
            `the Secret ${namespace}/${secretName} has no field ${key} with a cosign key`,
          );
        return verifySignature(image.client, image.repository, tag.name, pem);
      },
    });
  } catch (error) {
    return { ...emptyReport, problems: [{ image: '', error: asImagesError(error) }] };
  }
  const { considered, skipped, problems, changes } = decision;
  const report: Report = { ...emptyReport, considered, skipped, problems };
  if (changes.length === 0) return report;
  if (world.dryRun)
    return {
      ...report,
      held: changes.map(({ alias, image }) => ({
        image: alias || image.name,
        why: `would become ${fullNameWithTag(image)}`,
      })),
    };
  try {
    const texts = changes.map(({ image }) => fullNameWithTag(image));
    const shut = await world.gate?.(plan.application, texts);
    if (shut) {
      const held = changes.map(({ alias, image }) => ({ image: alias || image.name, why: shut.message }));
      return { ...report, held, requeueAfter: shut.requeueAfter };
    }
    return await write(world, plan, decision, report, waits);
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

async function write(
  world: LookWorld,
  plan: ApplicationPlan,
  decision: UpdateDecision,
  report: Report,
  waits: () => void,
): Promise<Report> {
  if (plan.writeBack.method === 'argocd') {
    await writeToApplication(world, plan, decision);
    return { ...report, updated: decision.changes };
  }
  if (plan.writeBack.pullRequest) {
    throw new ImagesError(
      'NotSupported',
      'pull requests are not opened yet: write to the branch itself, or to another one with BASE:TEMPLATE',
    );
  }
  const written = world.writer.write(await jobFor(world, plan, decision));
  waits();
  const outcome = await written;
  if (outcome.kind === 'committed') return { ...report, updated: decision.changes, commit: outcome.commit };
  if (outcome.kind === 'unchanged') return report;
  return {
    ...report,
    held: decision.changes.map(({ alias, image }) => ({
      image: alias || image.name,
      why: `${image.tag ?? ''}: ${outcome.why}`,
    })),
  };
}

/** Sets the images in the Application's own source. One that changed meanwhile is read again; one that was replaced is left alone. */
async function writeToApplication(world: LookWorld, plan: ApplicationPlan, { changes }: UpdateDecision): Promise<void> {
  const { name, namespace = '', uid } = plan.application.metadata;
  let { application } = plan;
  for (let tries = 1; ; tries++) {
    const changed = changes.reduce<Application>((current, { alias, image }) => {
      const rule = plan.rules.find((one) => one.alias === alias && one.image.name === image.name)!;
      return setImage(current, image, plan.writeBack, rule);
    }, application);
    const source = sourceOf(changed, plan.writeBack)!;
    const { sources, source: single, sourceHydrator } = withSource(application.spec, source);
    const { resourceVersion } = application.metadata;
    // Not as a merge: a null among the values of a chart means something, and would be taken for a deletion.
    const steps = [
      ...(resourceVersion ? [{ op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion }] : []),
      ...(sources ? [{ op: 'add', path: '/spec/sources', value: sources }] : []),
      ...(single ? [{ op: 'add', path: '/spec/source', value: single }] : []),
      ...(sourceHydrator ? [{ op: 'add', path: '/spec/sourceHydrator', value: sourceHydrator }] : []),
    ];
    try {
      await world.client.patch(applicationKind.type, { namespace, name }, 'json', steps, {
        fieldManager: 'image-updater',
      });
      return;
    } catch (error) {
      if (isNotFound(error)) throw new ImagesError('CannotWrite', `the Application ${namespace}/${name} is gone`);
      if (!isConflict(error) || tries >= 5) throw new ImagesError('CannotWrite', (error as ApiError).message);
    }
    application = await world.client.get<Application>(applicationKind.type, { namespace, name });
    if (application.metadata.uid !== uid)
      throw new ImagesError('CannotWrite', `the Application ${namespace}/${name} was replaced by another`);
  }
}
