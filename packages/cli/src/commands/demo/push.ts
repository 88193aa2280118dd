import { type Application, type PrePullImage, prePullImageKind } from '@fairlead/api';
import { messageOf } from '@fairlead/apimachinery';
import { pushImage } from '@fairlead/images/demo-registry';
import { type ApiClient, sleep, systemClock } from '@fairlead/kube';
import { decideGate, defaultGateSettings, gateLabel } from '@fairlead/prepull';
import { listApplications } from '../../applications/selection/find-application.ts';
import { CliError } from '../../cli-error.ts';
import { withCluster } from '../../cluster-connection.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { demoPush } from '../../command-line/specs/image.ts';
import { loadInstanceState } from '../../data-dir.ts';
import { demoInstance, demoRegistryName } from '../../demo/registry.ts';
import { durationFlag } from '../../duration.ts';

/** `fairlead demo push IMAGE TAG` */
export const run: Handler<typeof demoPush> = async ({ flags, args, environment, terminal }) => {
  const [repository = '', tag = ''] = args;
  if (!/^[a-z0-9]+(?:[._/-][a-z0-9]+)*$/u.test(repository)) throw new CliError(`invalid image name ${repository}`);
  if (!/^\w[\w.-]{0,127}$/u.test(tag)) throw new CliError(`invalid tag ${tag}`);
  const dir = demoInstance(flags['data-dir'], environment);
  const port = dir && loadInstanceState(dir).registryPort;
  if (!dir || port === undefined)
    throw new CliError('no running demo found: start it with fairlead up, or name its data folder with --data-dir');
  const started = systemClock.now();
  const since = (): string => `${((systemClock.now() - started) / 1000).toFixed(1)} s`;
  const digest = await pushImage(`http://127.0.0.1:${port}`, { repository, tag, created: new Date() }).catch(
    (error: unknown) => {
      throw new CliError(`the demo registry on port ${port} rejected the image: ${messageOf(error)}`);
    },
  );
  const image = `${demoRegistryName}/${repository}:${tag}`;
  terminal.write(`✔ ${since()}  pushed ${image} (${digest.slice(0, 19)}…) to the demo registry\n`);
  if (flags.async) return exitCodes.ok;
  const limit = durationFlag('timeout', flags.timeout) ?? 60_000;
  return withCluster(
    { kubeconfig: flags.kubeconfig ?? dir.kubeconfig, context: flags.context },
    environment.processes,
    async (client) => {
      const name = `${demoRegistryName}/${repository}`;
      const concerned = (await listApplications(client)).filter(({ status }) =>
        status?.summary?.images?.some((one) => one.startsWith(`${name}:`)),
      );
      if (concerned.length === 0) {
        terminal.write(`no Application uses ${name}: nothing to wait for\n`);
        return exitCodes.ok;
      }
      const before = new Map(concerned.map((application) => [keyOf(application), application.status?.sync?.revision]));
      const waiting = new Set(before.keys());
      const printed = new Set<string>();
      const say = (key: string, line: string): void => {
        if (printed.has(`${key} ${line}`)) return;
        printed.add(`${key} ${line}`);
        terminal.write(`✔ ${since()}  ${line}\n`);
      };
      while (waiting.size > 0 && systemClock.now() - started < limit && !terminal.stopped().aborted) {
        const applications = await listApplications(client);
        // Read second, so that the PrePullImage that a commit waited for is included.
        const pulls = await pullsOf(client, image);
        for (const application of applications) {
          const key = keyOf(application);
          if (!waiting.has(key)) continue;
          for (const pull of pulls) {
            if (pull.metadata.labels?.[gateLabel] !== application.metadata.name || pull.status?.phase !== 'Completed')
              continue;
            say(key, decideGate(pull, defaultGateSettings, systemClock.now()).reason);
          }
          const { sync, health, summary, conditions = [] } = application.status ?? {};
          for (const { type, message } of conditions)
            if (type === 'ImageHeld' || type === 'ImageUpdateError')
              say(key, `${application.metadata.name}: ${message}`);
          if (sync?.revision !== before.get(key))
            say(key, `commit ${sync?.revision?.slice(0, 10)} for ${application.metadata.name}`);
          if (!summary?.images?.includes(image)) continue;
          if (sync?.status === 'Synced') say(key, `${application.metadata.name} is synced`);
          if (sync?.status === 'Synced' && health?.status === 'Healthy') {
            waiting.delete(key);
            say(key, `${image} is live in ${application.metadata.name}`);
          }
        }
        if (waiting.size > 0) await sleep(systemClock, 100);
      }
      if (waiting.size === 0) return exitCodes.ok;
      terminal.writeError(
        `timeout: ${image} is not live in ${[...waiting].join(', ')} after ${since()}: see fairlead image explain`,
      );
      return exitCodes.timeout;
    },
  );
};

const pullsOf = async (client: ApiClient, image: string): Promise<readonly PrePullImage[]> =>
  (await client.list<PrePullImage>(prePullImageKind.type)).items.filter(({ spec }) => spec?.image.startsWith(image));

const keyOf = ({ metadata: { namespace, name } }: Application): string => `${namespace}/${name}`;
