import { type Application, type ImageUpdater, imageUpdaterKind } from '@fairlead/api';
import { isNotFound } from '@fairlead/apimachinery';
import {
  decideUpdate,
  type ImageRegistries,
  type ImageRule,
  ImagesError,
  liveImageOf,
  liveImages,
  secretReader,
  versionText,
  watchedApplications,
} from '@fairlead/images';
import { type HttpClient, listAll, systemClock } from '@fairlead/kube';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { findApplication, keyFrom } from '../../applications/selection/find-application.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { imageExplain } from '../../command-line/specs/image.ts';
import { demoEndpoint } from '../../demo/registry.ts';
import { decisionLines, ruleLine } from '../../images/decision-lines.ts';
import { openRegistries, readRegistriesConf } from '../../images/registries.ts';
import { controlPlaneNamespace } from '../../install.ts';

/** `fairlead image explain APP [ALIAS]` */
export const run: Handler<typeof imageExplain> = (call) => {
  const { flags, args, environment, terminal } = call;
  const [name = '', alias] = args;
  return onCluster(call, async (client) => {
    const application = await findApplication(client, keyFrom(name, flags.namespace));
    const plan = await planOf(client, application);
    const rules = plan.rules.filter((rule) => alias === undefined || rule.alias === alias || rule.image.name === alias);
    if (rules.length === 0 && plan.problems.length === 0) {
      throw new CliError(
        `${name} has no image ${alias ?? ''}: its images are ${plan.rules.map((rule) => rule.alias || rule.image.name).join(', ')}`,
      );
    }
    const opened = openRegistries({
      conf: readRegistriesConf(flags['registries-conf']),
      more: demoEndpoint(flags['data-dir'], environment),
      environment: environment.processes,
      secret: secretReader(client, systemClock),
      allowProcessSources: false,
    });
    try {
      let bad = plan.problems.length > 0;
      for (const { image, error } of plan.problems) terminal.write(`${image}\n  ! ${error.message}\n`);
      for (const rule of rules) {
        const { lines, failed } = await explain(
          opened.registries,
          application,
          { ...plan, rules: [rule] },
          rule,
          flags['all-tags'] ?? false,
        );
        bad ||= failed;
        terminal.write(lines.map((line) => `${line}\n`).join(''));
      }
      return bad ? exitCodes.error : exitCodes.ok;
    } finally {
      await opened.close();
    }
  });
};

async function planOf(client: HttpClient, application: Application) {
  const updaters = await listAll<ImageUpdater>(client, imageUpdaterKind.type, {}).then(
    ({ items }) => items,
    (error: unknown) => {
      if (isNotFound(error)) return [];
      throw error;
    },
  );
  const { watched } = watchedApplications([application], updaters, {
    controllerNamespace: controlPlaneNamespace,
    annotations: true,
  });
  const [entry] = watched;
  if (entry?.problem) throw new CliError(`${application.metadata.name}: ${entry.problem.message}`);
  if (!entry?.plan) {
    throw new CliError(
      `${application.metadata.name} has no images to update: add the annotation argocd-image-updater.argoproj.io/image-list, or name it in an ImageUpdater`,
    );
  }
  return entry.plan;
}

type Plan = Awaited<ReturnType<typeof planOf>>;

async function explain(
  registries: ImageRegistries,
  application: Application,
  plan: Plan,
  rule: ImageRule,
  everything: boolean,
): Promise<{ lines: string[]; failed: boolean }> {
  const namespace = application.metadata.namespace ?? '';
  const live = liveImageOf(liveImages(application, plan.rules), rule);
  const head = [
    `${rule.alias || rule.image.name}  ${rule.image.original}`,
    `  ${ruleLine(rule)}`,
    `  runs ${live ? versionText(live) || 'without a tag' : 'nowhere in this Application'}`,
    ...holdLines(application, rule),
  ];
  try {
    const { selection } = await registries.select(rule, namespace, { notBefore: 0 });
    const decision = await decideUpdate(plan, {
      select: (one, of) => registries.select(one, of, { notBefore: 0 }),
      verify: async () => {
        throw new ImagesError('NotVerified', 'signatures are only checked by the image updater');
      },
    });
    const [note] = decision.notes;
    const [change] = decision.changes;
    const end = change
      ? `would become ${change.image.tag ?? ''}${change.image.digest ? `@${change.image.digest}` : ''}`
      : (note?.note ?? '');
    return { lines: [...head, ...decisionLines(selection, everything), `  → ${end}`], failed: false };
  } catch (error) {
    if (!(error instanceof ImagesError)) throw error;
    return { lines: [...head, `  ! ${error.message}`], failed: true };
  }
}

/** Why the image updater does not write a newer image: a pull request, a rollback by a user, a pre-pull. */
const holdLines = ({ status }: Application, { alias, image }: ImageRule): string[] =>
  (status?.conditions ?? [])
    .filter(({ type, message }) => type === 'ImageHeld' && message.startsWith(`${alias || image.name}: `))
    .map(({ message }) => `  held: ${message.slice((alias || image.name).length + 2)}`);
