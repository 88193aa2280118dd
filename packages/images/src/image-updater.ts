import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type Application,
  type AppProject,
  applicationKind,
  appProjectKind,
  type ImageUpdater,
  imageUpdaterKind,
} from '@fairlead/api';
import { keyOf, type Secret, secretType, textAt } from '@fairlead/apimachinery';
import { RepositoryAccess, repositorySecretSelector } from '@fairlead/app-controller';
import {
  type ApiClient,
  type Clock,
  InformerFactory,
  type Logger,
  limits,
  type MetricsRegistry,
  type NewEvent,
  type Random,
  sleep,
  untilAborted,
  withoutManagedFields,
} from '@fairlead/kube';
import { RepositoryTokens, type Trust } from '@fairlead/source';
import { HttpSession } from '@fairlead/source/oci';
import { parseRegistriesConf } from './config/registries-conf.ts';
import { dockerHub, endpointOf, type RegistryEndpoint, RegistryEndpoints } from './config/registry-endpoints.ts';
import type { CommitIdentity, SigningSettings } from './git/fast-import.ts';
import { GitWriter } from './git/git-writer.ts';
import { WriteRepositories } from './git/write-repository.ts';
import { ImagesError } from './images-error.ts';
import { httpRegistries } from './registry/http-registry.ts';
import { ImageRegistries } from './registry/image-registries.ts';
import { registryMetrics } from './registry/registry-metrics.ts';
import { repositoryProblem } from './run/repository-access.ts';
import { Runtime } from './run/runtime.ts';
import { defaultRuntimeSettings, type RuntimeSettings } from './run/runtime-settings.ts';
import { secretReader } from './run/secret-reader.ts';
import { SharedTimeout } from './run/shared-timeout.ts';
import { SlowRegistries } from './run/slow-registries.ts';
import { StatusWriter } from './run/status.ts';
import { type ImageGate, type UpdateEnv, updateApplication } from './run/update-application.ts';
import { defaultCommitTemplate, Template } from './write-back/templates.ts';

export interface ImageUpdaterOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  /** The folder of local repository copies. */
  readonly dir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly trust?: Trust;
  record(event: NewEvent): void;
  readonly settings: Partial<RuntimeSettings>;
  /** The namespace to watch; all when absent. */
  readonly namespace?: string;
  readonly endpoints: RegistryEndpoints;
  /** Whether an image may name `env:` and `ext:` credentials. */
  readonly allowProcessCredentials: boolean;
  readonly allowLocalRepositories: boolean;
  readonly platform?: { readonly os: string; readonly arch: string } | undefined;
  readonly dryRun: boolean;
  /** Called before a new image is written. */
  readonly gate?: ImageGate;
  readonly commit: {
    readonly identity: CommitIdentity;
    readonly signOff?: boolean;
    readonly signing?: SigningSettings | undefined;
    readonly template?: string;
    readonly windowMs: number;
  };
}

/** How long running writes of commits may take on shutdown. */
const closeMs = 10_000;

export interface RunningImageUpdater {
  readonly runtime: Runtime;
  readonly registries: ImageRegistries;
  close(): Promise<void>;
}

/** The registries of `registries.conf`, with Docker Hub unless another is the default. */
export function readRegistries(text: string, more: readonly RegistryEndpoint[] = []): RegistryEndpoints {
  const configured = parseRegistriesConf(text).map((config) =>
    endpointOf(config, (path) => readFileSync(path, 'utf8')),
  );
  const all = [...configured, ...more];
  const hub = all.some(({ prefix, isDefault }) => prefix === 'docker.io' || prefix === '' || isDefault)
    ? []
    : [dockerHub];
  return new RegistryEndpoints([...hub, ...all]);
}

/** Creates the image updater of a cluster. Resolves when its caches are filled; nothing is updated until the runtime runs. */
export async function openImageUpdater(
  options: ImageUpdaterOptions,
  signal: AbortSignal,
): Promise<RunningImageUpdater> {
  const { client, clock, random, log, metrics, environment, dir } = options;
  const selection = options.namespace === undefined ? {} : { namespace: options.namespace };
  const informers = new InformerFactory(client, { clock, random, log, transform: withoutManagedFields });
  const applications = informers.informer<Application>(applicationKind.type, selection);
  const updaters = informers.informer<ImageUpdater>(imageUpdaterKind.type, selection);
  const secrets = informers.informer<Secret>(secretType, {
    namespace: options.settings.controllerNamespace ?? 'argocd',
    labelSelector: repositorySecretSelector,
  });
  const access = new RepositoryAccess(secrets);
  const controllerNamespace = options.settings.controllerNamespace ?? defaultRuntimeSettings.controllerNamespace;
  const projects = informers.informer<AppProject>(appProjectKind.type, { namespace: controllerNamespace });
  informers.start(signal);
  await informers.waitForSync(signal);

  const figures = registryMetrics(metrics);
  const http = new HttpSession({ clock, environment, random, ...(options.trust ? { trust: options.trust } : {}) });
  const secret = secretReader(client, clock);
  const registries = new ImageRegistries({
    endpoints: options.endpoints,
    credentials: { secret, environment, runScript },
    policy: { allowProcessSources: options.allowProcessCredentials },
    clock,
    open: httpRegistries({ http, clock, metrics: figures }),
    metrics: figures.index,
    platform: options.platform,
  });
  const repositories = new WriteRepositories({
    dir: join(dir, 'repositories'),
    clock,
    environment,
    allowLocal: options.allowLocalRepositories,
    ...(options.trust ? { trust: options.trust } : {}),
  });
  const { identity, signOff = false, signing, template = defaultCommitTemplate, windowMs } = options.commit;
  const writer = new GitWriter({ repositories, clock, random, windowMs, identity, signOff, signing });
  const status = new StatusWriter({ client, clock, record: options.record });
  const env: UpdateEnv = {
    deadline: new SharedTimeout(clock, limits.imageUpdateMs),
    registries,
    slowRegistries: new SlowRegistries(clock),
    client,
    writer,
    forges: { http, tokens: new RepositoryTokens({ http, clock, environment }) },
    secret,
    repositoryProblem: (application, repository) =>
      repositoryProblem(
        application,
        repository,
        projects.get(`${controllerNamespace}/${application.spec.project || 'default'}`),
        controllerNamespace,
      ),
    repositoryCredentials: (repository, project) => access.credentialsFor(repository, project),
    commitTemplate: new Template(template, 'commit message'),
    dryRun: options.dryRun,
    ...(options.gate ? { gate: options.gate } : {}),
  };
  const runtime = new Runtime(
    {
      clock,
      log,
      metrics,
      applications: () => applications.list(),
      updaters: () => updaters.list(),
      async update(entry, notBefore, onWaiting, signal) {
        const report = await updateApplication(env, entry, notBefore, onWaiting, signal);
        if (signal.aborted) return report;
        for (const { image, error } of report.problems)
          log.warn('cannot update an image', { application: entry.key, image, error: error.message });
        if (options.dryRun) return report;
        await status.application({ entry, report }).catch((error: unknown) => {
          log.warn('cannot write the status of an Application', { application: entry.key, error: String(error) });
        });
        return report;
      },
      async warmUp(entries) {
        const waiting = entries.values();
        const notBefore = clock.now();
        const work = async (): Promise<void> => {
          for (const { plan, namespace } of waiting) {
            for (const rule of plan?.rules ?? [])
              await registries.select(rule, namespace, { notBefore }, plan?.application.spec.project).catch(() => {});
          }
        };
        const late = new AbortController();
        const cancel = clock.after(limits.imageWarmUpMs, () => late.abort());
        await untilAborted(Promise.all(Array.from({ length: 20 }, work)), late.signal).catch(() => {});
        cancel();
      },
      invalidate: (event) => registries.invalidate(event),
      prune: (before) => registries.prune(before),
      report: async (round) => void (options.dryRun || (await status.updaters(updaters.list(), round))),
    },
    options.settings,
  );
  const cancelDeleted = (application: Application): void => runtime.cancel(keyOf(application));
  applications.addHandler({
    onAdd: () => {},
    onUpdate: (_, application) => void (application.metadata.deletionTimestamp && cancelDeleted(application)),
    onDelete: cancelDeleted,
  });
  return {
    runtime,
    registries,
    async close() {
      // A Git server that hangs must not delay the shutdown.
      await Promise.race([writer.idle(), sleep(clock, closeMs)]);
      repositories.close();
      await http.close();
      await informers.stopped();
    },
  };
}

/** Runs a credentials script of the operator, without arguments and for ten seconds at most. */
export async function runScript(path: string): Promise<string> {
  try {
    return (await promisify(execFile)(path, [], { timeout: 10_000, maxBuffer: 64 * 1024 })).stdout;
  } catch (error) {
    const missing = textAt(error, 'code') === 'ENOENT';
    throw new ImagesError('InvalidCredentials', `the script ${path} ${missing ? 'does not exist' : 'failed'}`);
  }
}
