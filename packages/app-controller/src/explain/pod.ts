import { objectText } from './application-text.ts';
import { sentence } from './reason.ts';
import type { TreeNode } from './tree-node.ts';

interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
}

interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: { readonly exitCode?: number; readonly reason?: string };
  };
  readonly lastState?: { readonly terminated?: { readonly exitCode?: number; readonly reason?: string } };
}

/** Why a pod is not ready. */
export function podTrouble({ id, live }: TreeNode): string | undefined {
  const { status = {} } = live as unknown as { status?: PodStatus };
  const pod = objectText(id);
  const unscheduled = status.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
  if (unscheduled) return sentence(`${pod} has no node: ${unscheduled.message ?? 'no reason was reported'}`);
  for (const one of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
    const { waiting, terminated } = one.state ?? {};
    const before = one.lastState?.terminated;
    if (waiting && waiting.reason !== 'PodInitializing' && waiting.reason !== 'ContainerCreating') {
      const ended =
        before?.exitCode === undefined
          ? ''
          : `; it exited with ${before.exitCode} and was restarted ${one.restartCount ?? 0} times`;
      return sentence(
        `Container ${one.name} of ${pod} waits: ${waiting.reason}${waiting.message ? `, ${waiting.message}` : ''}${ended}`,
      );
    }
    if (terminated && terminated.exitCode !== 0)
      return sentence(
        `Container ${one.name} of ${pod} exited with ${terminated.exitCode}${terminated.reason ? ` (${terminated.reason})` : ''}`,
      );
  }
  const notReady = status.containerStatuses?.find(({ ready }) => ready === false);
  if (notReady && status.phase !== 'Succeeded')
    return sentence(`Container ${notReady.name} of ${pod} is not ready yet`);
  return undefined;
}
