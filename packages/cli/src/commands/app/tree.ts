import { elementAt } from '@fairlead/apimachinery';
import type { TreeNode } from '@fairlead/app-controller/explain';
import { readTreeThere } from '../../applications/cluster/destination.ts';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { findWhole, keyFrom, nameOf } from '../../applications/selection/find-application.ts';
import { healthWord, stateText, syncWord } from '../../applications/tables/status-text.ts';
import { branchLines, treeBranches } from '../../applications/tables/tree-lines.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appTree } from '../../command-line/specs/app.ts';

/** `fairlead app tree NAME` */
export const run: Handler<typeof appTree> = async (call) => {
  const { flags, args, terminal } = call;
  return onCluster(call, async (client) => {
    const application = await findWhole(client, keyFrom(elementAt(args, 0), flags.namespace));
    const nodes = await readTreeThere(client, application, call.environment);
    if (flags.output === 'json') terminal.write(`${JSON.stringify(nodes.map(plain), null, 2)}\n`);
    else {
      const { style } = terminal;
      const states = [syncWord(application), healthWord(application)].map((word) => stateText(word, style)).join('  ');
      terminal.write(`${style.strong(nameOf(application))}  ${states}\n`);
      for (const line of branchLines(treeBranches(nodes, style))) terminal.write(`${line}\n`);
      if (nodes.length === 0) terminal.write('no objects yet\n');
    }
    return exitCodes.ok;
  });
};

interface PlainNode {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  readonly status?: string;
  readonly health?: { readonly status: string; readonly message?: string };
  readonly children: readonly PlainNode[];
}

const plain = ({ id, live, status, health, children }: TreeNode): PlainNode => ({
  ...id,
  ...(live?.metadata.uid ? { uid: live.metadata.uid } : {}),
  ...(status?.status ? { status: status.status } : {}),
  ...(health ? { health } : {}),
  children: children.map(plain),
});
