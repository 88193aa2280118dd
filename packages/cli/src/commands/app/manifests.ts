import type { Application } from '@fairlead/api';
import { elementAt, type KubeObject } from '@fairlead/apimachinery';
import { type HttpClient, withoutManagedFields } from '@fairlead/kube';
import { writeYaml } from '@fairlead/render/go-yaml';
import { withDestination } from '../../applications/cluster/destination.ts';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { discoverKinds, readObject } from '../../applications/cluster/owner-tree.ts';
import { revisionsAsked } from '../../applications/operations/requested-revisions.ts';
import { findWhole, keyFrom } from '../../applications/selection/find-application.ts';
import { readTargetState } from '../../applications/sources/target-state.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appManifests } from '../../command-line/specs/app.ts';
import { shown } from '../../diff/field-changes.ts';

/** `fairlead app manifests NAME` */
export const run: Handler<typeof appManifests> = async (call) => {
  const { flags, args, terminal, environment } = call;
  return onCluster(call, async (client) => {
    const application = await findWhole(client, keyFrom(elementAt(args, 0), flags.namespace));
    const revisions = revisionsAsked(application, flags);
    const objects =
      flags.source === 'live'
        ? await withDestination(client, application, environment, (there) => liveObjects(there.client, application))
        : (await readTargetState(client, application, environment, revisions ? { revisions } : {})).objects;
    const safe = objects.map((object) => shown(object));
    if (flags.output === 'json') terminal.write(`${JSON.stringify(safe, null, 2)}\n`);
    else terminal.write(safe.map((object) => writeYaml(object)).join('---\n'));
    return exitCodes.ok;
  });
};

async function liveObjects(client: HttpClient, application: Application): Promise<KubeObject[]> {
  const { kinds } = await discoverKinds(client);
  const found = await Promise.all(
    (application.status?.resources ?? []).map(({ group = '', kind = '', namespace = '', name = '' }) =>
      readObject(client, kinds, { group, kind, namespace, name }),
    ),
  );
  return found.flatMap((object) => (object ? [withoutManagedFields(object)] : []));
}
