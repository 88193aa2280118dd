import { kinds } from '@fairlead/api';
import { onCluster } from '../applications/cluster/on-cluster.ts';
import { exitCodes, type Handler } from '../command-line/command.ts';
import type { install } from '../command-line/specs/install.ts';
import { applyObjects, nameOfObject } from '../deploy/apply-objects.ts';
import { manifests, yamlOf } from '../deploy/manifests.ts';
import { crds } from '../deploy/shared-objects.ts';
import { installKinds } from '../install.ts';

/** `fairlead install` */
export const run: Handler<typeof install> = async (call) => {
  const { flags, environment, terminal } = call;
  const namespace = flags.namespace ?? environment.namespace;
  const scope = flags.scope === 'namespace' ? 'namespace' : 'cluster';
  const image = flags.image === undefined ? {} : { image: flags.image };
  const objects = manifests({ namespace, scope, ha: flags.ha ?? false, ...image });
  if (flags['dry-run']) {
    terminal.write(yamlOf([...crds(), ...objects]));
    return exitCodes.ok;
  }
  return onCluster(call, async (client) => {
    await installKinds(client, kinds, { own: true, signal: terminal.stopped() });
    terminal.write(`${kinds.length} CRDs are established\n`);
    await applyObjects(client, objects, (outcome, object) => terminal.write(`${nameOfObject(object)} ${outcome}\n`));
    terminal.write(`installed in namespace ${namespace}: run fairlead check --namespace ${namespace}\n`);
    return exitCodes.ok;
  });
};
