import { kinds } from '@fairlead/api';
import { parseDuration } from '@fairlead/apimachinery';
import { type HttpClient, systemClock } from '@fairlead/kube';
import { onCluster } from '../applications/cluster/on-cluster.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes, type Handler } from '../command-line/command.ts';
import type { upgrade } from '../command-line/specs/install.ts';
import { applyObjects, nameOfObject } from '../deploy/apply-objects.ts';
import type { Scope } from '../deploy/installation.ts';
import { manifests, rolesIn, yamlOf } from '../deploy/manifests.ts';
import { awaitRollout, deploymentOf, imageOf } from '../deploy/rollout.ts';
import { crds } from '../deploy/shared-objects.ts';
import { installKinds } from '../install.ts';

/** `fairlead upgrade` */
export const run: Handler<typeof upgrade> = async (call) => {
  const { flags, environment, terminal } = call;
  const namespace = flags.namespace ?? environment.namespace;
  const timeoutMs = readTimeout(flags.timeout);
  return onCluster(call, async (client) => {
    const { scope, from } = await installed(client, namespace);
    const image = flags.image === undefined ? {} : { image: flags.image };
    const objects = manifests({ namespace, scope, ha: false, ...image });
    if (flags['dry-run']) {
      terminal.write(yamlOf([...crds(), ...objects]));
      return exitCodes.ok;
    }
    await installKinds(client, kinds, { own: true, signal: terminal.stopped() });
    terminal.write(`${kinds.length} CRDs are established\n`);
    await applyObjects(client, objects, (outcome, object) => terminal.write(`${nameOfObject(object)} ${outcome}\n`));
    const roles = rolesIn(scope);
    const to = imageOf(await deploymentOf(client, namespace, { name: 'controller' }));
    const signal = terminal.stopped();
    const awaited =
      timeoutMs === 0 ? [] : await awaitRollout(client, namespace, roles, { clock: systemClock, timeoutMs, signal });
    for (const line of awaited) terminal.write(`${line}\n`);
    if (awaited.length > 0) return exitCodes.timeout;
    terminal.write(`upgraded from ${from} to ${to}: run fairlead check --namespace ${namespace}\n`);
    return exitCodes.ok;
  });
};

/** The scope of the installation: one for its namespace only has no ApplicationSet controller. */
async function installed(
  client: HttpClient,
  namespace: string,
): Promise<{ readonly scope: Scope; readonly from: string }> {
  const controller = await deploymentOf(client, namespace, { name: 'controller' });
  if (!controller) throw new CliError(`no installation in namespace ${namespace}: run fairlead install`);
  const sets = await deploymentOf(client, namespace, { name: 'applicationset' });
  return { scope: sets ? 'cluster' : 'namespace', from: imageOf(controller) };
}

function readTimeout(text = '5m'): number {
  const ms = text === '0' ? 0 : parseDuration(text);
  if (ms === undefined || ms < 0)
    throw new CliError(`invalid --timeout ${text}: use a duration such as 90s, or 0 to not wait`);
  return ms;
}
