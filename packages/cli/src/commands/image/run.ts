import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applicationKind, appProjectKind, imageUpdaterKind } from '@fairlead/api';
import { messageOf } from '@fairlead/apimachinery';
import { type RuntimeSettings, webhookKinds } from '@fairlead/images';
import { createLogger, MetricsRegistry } from '@fairlead/kube';
import { interrupted } from '../../applications/watch/time-limit.ts';
import { CliError } from '../../cli-error.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { imageRun } from '../../command-line/specs/image.ts';
import { dataDirAt, defaultDataDir } from '../../data-dir.ts';
import { durationFlag } from '../../duration.ts';
import { readRegistriesConf } from '../../images/registries.ts';
import { roundLines } from '../../images/round-lines.ts';
import { installKinds, requireKinds } from '../../install.ts';
import { type ImagesOptions, imagesRole, updateOnce } from '../../roles/images.ts';
import { roleRun, runRoles } from '../../roles/run-role.ts';
import { runUntilStopped } from '../../roles/run-until-stopped.ts';

type Flags = Call<typeof imageRun.flags>['flags'];

/** `fairlead image run` */
export const run: Handler<typeof imageRun> = async (call) => {
  const { flags, environment, terminal } = call;
  const kinds = [applicationKind, appProjectKind, imageUpdaterKind];
  const settings = settingsFrom(flags);
  const once = flags.once === true || settings.intervalMs === 0;
  let code = once ? interrupted : exitCodes.ok;
  await runUntilStopped(call, async (client, signal) => {
    const dir = join(dataDirAt(flags['data-dir'] ?? environment.dataDir ?? defaultDataDir).root, 'images');
    if (flags['dry-run']) await requireKinds(client, kinds, 'a dry run installs nothing');
    else await installKinds(client, kinds, { own: false, signal });
    const options: ImagesOptions = {
      dir,
      settings,
      registriesConf: readRegistriesConf(flags['registries-conf']),
      allowLocalRepositories: false,
      allowProcessCredentials: flags['allow-env-credentials'] ?? false,
      ...(flags.namespace === undefined ? {} : { namespace: flags.namespace }),
      dryRun: flags['dry-run'] ?? false,
      leaderElection: flags['leader-election'] !== 'false' && !once,
      commit: commitFrom(flags, environment.processes),
      ...(flags['enable-webhook'] ? { webhooks: webhooksFrom(flags) } : {}),
      ...(once ? {} : { status: { host: '0.0.0.0', port: numberFrom(flags, 'status-port', 8081) } }),
    };
    if (once) {
      const log = createLogger({ level: environment.logLevel ?? 'warn', format: environment.logFormat });
      const context = { client, environment, registry: new MetricsRegistry(), log };
      const results = await updateOnce(options, context, signal);
      terminal.write(roundLines(results, options.dryRun).join('\n').concat('\n'));
      code = results.some(({ report }) => report.problems.length > 0) ? exitCodes.error : exitCodes.ok;
      return;
    }
    const run = roleRun(
      imagesRole,
      options,
      ({ webhookUrl, statusPort }) =>
        `image updater is running${webhookUrl ? `, webhooks ${webhookUrl}/webhook` : ''}, metrics on port ${statusPort}`,
    );
    await runRoles([run], { client, environment, terminal }, signal);
  });
  return code;
};

function settingsFrom(flags: Flags): Partial<RuntimeSettings> {
  return {
    mode: flags.mode === 'continuous' ? 'continuous' : 'cycle',
    intervalMs: timeFrom(flags, 'interval', 120_000),
    maxConcurrency: Math.max(1, numberFrom(flags, 'max-concurrency', 10)),
    schedule: flags.schedule === 'lru' || flags.schedule === 'fail-first' ? flags.schedule : 'default',
    cooldownMs: timeFrom(flags, 'cooldown', 0),
    perRepositoryCap: numberFrom(flags, 'per-repo-cap', 0),
    warmUp: flags['warmup-cache'] !== 'false',
  };
}

type TextFlag = { [K in keyof Flags]-?: NonNullable<Flags[K]> extends string ? K : never }[keyof Flags];

const timeFrom = (flags: Flags, name: TextFlag, byDefault: number): number =>
  flags[name] === undefined ? byDefault : (durationFlag(name, flags[name]) ?? 0);

function numberFrom(flags: Flags, name: TextFlag, byDefault: number): number {
  const text = flags[name];
  if (text === undefined) return byDefault;
  if (!/^\d+$/u.test(text)) throw new CliError(`invalid --${name} ${text}: use a number`);
  return Number(text);
}

function commitFrom(flags: Flags, environment: Readonly<Record<string, string | undefined>>) {
  const template = flags['git-commit-message-path'];
  const key = flags['git-commit-signing-key'];
  const visible = ['HOME', 'GNUPGHOME', 'SSH_AUTH_SOCK'].flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]] as const],
  );
  return {
    name: flags['git-commit-user'] ?? 'fairlead',
    email: flags['git-commit-email'] ?? 'fairlead@localhost',
    signOff: flags['git-commit-sign-off'] ?? false,
    signing:
      key === undefined
        ? undefined
        : {
            method: flags['git-commit-signing-method'] === 'ssh' ? ('ssh' as const) : ('openpgp' as const),
            key,
            environment: Object.fromEntries(visible),
          },
    template: template === undefined ? undefined : readFileSync(template, 'utf8'),
    windowMs: timeFrom(flags, 'commit-window', 2_000),
  };
}

/** A webhook kind without a secret is not accepted: anyone could report a push. */
function webhooksFrom(flags: Flags) {
  const registered = [
    ...(flags['webhook-secret'] ?? []).map((text) => webhookOf('webhook-secret', 'SECRET', text)),
    ...(flags['webhook-secret-file'] ?? []).map((text) => {
      const { kind, secret: file } = webhookOf('webhook-secret-file', 'FILE', text);
      const secret = readSecret(file);
      if (secret === '') throw new CliError(`--webhook-secret-file ${file} is empty`);
      return { kind, secret };
    }),
  ];
  if (registered.length === 0)
    throw new CliError(
      '--enable-webhook needs at least one --webhook-secret-file TYPE=FILE or --webhook-secret TYPE=SECRET',
    );
  return {
    host: '0.0.0.0',
    port: numberFrom(flags, 'webhook-port', 8082),
    registered,
    perHour: numberFrom(flags, 'webhook-ratelimit-allowed', 0),
  };
}

function webhookOf(flag: string, what: string, text: string) {
  const equals = text.indexOf('=');
  const kind = webhookKinds.find(({ type }) => type === text.slice(0, equals));
  if (equals < 0 || !kind || equals === text.length - 1) {
    // Of a text without a type, nothing is shown: it may be the secret.
    throw new CliError(
      `--${flag}${equals < 0 ? '' : ` ${text.slice(0, equals)}`}: use TYPE=${what} with one of the types ${webhookKinds.map(({ type }) => type).join(', ')}`,
    );
  }
  return { kind, secret: text.slice(equals + 1) };
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CliError(`--webhook-secret-file ${file} cannot be read: ${messageOf(error)}`);
  }
}
