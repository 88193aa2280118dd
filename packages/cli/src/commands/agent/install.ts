import { agentManifests, encodeInvitation } from '@fairlead/agent';
import { applicationKind, appProjectKind, crdOf } from '@fairlead/api';
import { elementAt } from '@fairlead/apimachinery';
import { writeYaml } from '@fairlead/render/go-yaml';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { agentInstall } from '../../command-line/specs/agent.ts';
import { liveLevelIn, namespaceOf, namespacesIn } from './agents.ts';
import { inviteAsAsked } from './invite.ts';

/** `fairlead agent install` */
export const run: Handler<typeof agentInstall> = async (call) => {
  const { flags, args, terminal } = call;
  const { image } = flags;
  if (!image) throw new CliError('missing --image: name an image that contains fairlead, such as REGISTRY/NAME:TAG');
  return onCluster(call, async (client) => {
    const { invitation } = await inviteAsAsked(client, elementAt(args, 0), flags);
    const manifests = agentManifests({
      token: encodeInvitation(invitation),
      namespace: flags['agent-namespace'] ?? namespaceOf(flags),
      image,
      live: liveLevelIn(flags),
      ...namespacesIn(flags),
    });
    const kinds = flags.crds ? [applicationKind, appProjectKind].map((kind) => crdOf(kind)) : [];
    terminal.write([...kinds, ...manifests].map((object) => writeYaml(object as never)).join('---\n'));
    return exitCodes.ok;
  });
};
