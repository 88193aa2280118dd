import { type PrePullImage, prePullImageKind } from '@fairlead/api';
import { ApiError } from '@fairlead/apimachinery';
import { type ApiClient, listAll } from '@fairlead/kube';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { printList } from '../../applications/tables/print-object.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { prepullList } from '../../command-line/specs/prepull.ts';
import { imageTable, nameOf } from '../../prepull/status-text.ts';

/** `fairlead prepull list` */
export const run: Handler<typeof prepullList> = async (call) => {
  const { flags, terminal } = call;
  return onCluster(call, async (client) => {
    const images = await listImages(client, flags.namespace);
    if (flags.output === 'json' || flags.output === 'yaml') terminal.write(printList(images, flags.output));
    else if (flags.output === 'name') for (const image of images) terminal.write(`${nameOf(image)}\n`);
    else if (images.length === 0)
      terminal.write('no PrePullImages: fairlead prepull run IMAGE creates one, or a PrePullPolicy for workloads\n');
    else terminal.write(`${imageTable(images, terminal.style, Date.now()).join('\n')}\n`);
    return exitCodes.ok;
  });
};

/** By namespace and name. */
export async function listImages(client: ApiClient, namespace: string | undefined): Promise<PrePullImage[]> {
  try {
    const { items } = await listAll<PrePullImage>(
      client,
      prePullImageKind.type,
      namespace === undefined ? {} : { namespace },
    );
    return [...items].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  } catch (error) {
    if (error instanceof ApiError && error.code === 404)
      throw new CliError('the cluster has no CRD for PrePullImages: fairlead up --kubeconfig FILE installs it');
    throw error;
  }
}
