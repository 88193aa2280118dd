import type { PrePullImage } from '@fairlead/api';
import { formatDuration, parseDuration, parseTime } from '@fairlead/apimachinery';

export interface GateSettings {
  /** Share of the nodes that must have the image, from 0 to 1. */
  readonly quorum: number;
  /** How long a rollout waits at most. */
  readonly deadlineMs: number;
}

export const defaultGateSettings: GateSettings = { quorum: 0.8, deadlineMs: 300_000 };

export interface GateDecision {
  readonly open: boolean;
  readonly reason: string;
  /** How much faster a pod starts on a node that has the image: the average time of a pull. */
  readonly savedSeconds?: number;
  /** Milliseconds until the next check, while the gate is closed. */
  readonly requeueAfter?: number;
}

/** Decides whether a rollout may start: enough nodes have its image, or the deadline has passed. */
export function decideGate(image: PrePullImage, settings: GateSettings, now: number): GateDecision {
  const { total = 0, completed = 0, failed = 0 } = image.status?.summary ?? {};
  const name = image.spec?.image ?? '';
  const waitedMs = now - (parseTime(image.metadata.creationTimestamp) ?? now);
  const needed = Math.max(1, Math.ceil(total * settings.quorum));
  const share = `${completed} of ${total} nodes have ${name}`;
  if (total > 0 && completed >= needed) {
    const savedSeconds = averagePullSeconds(image);
    const gain = savedSeconds > 0 ? `; a pod starts about ${formatDuration(savedSeconds * 1000)} sooner there` : '';
    return { open: true, reason: `${share}${gain}`, savedSeconds };
  }
  if (waitedMs >= settings.deadlineMs) {
    const why = failed > 0 ? `, ${failed} could not pull it` : '';
    return {
      open: true,
      reason: `${share}${why}, and the deadline of ${formatDuration(settings.deadlineMs)} has passed`,
    };
  }
  const [condition] = image.status?.conditions ?? [];
  const problem =
    condition && !['Pulling', 'Waiting', 'Pulled'].includes(condition.reason) ? `: ${condition.message}` : '';
  return {
    open: false,
    reason:
      total === 0 && !problem ? `the pull of ${name} has not started yet` : `${share}, ${needed} are needed${problem}`,
    requeueAfter: Math.max(100, Math.min(2_000, settings.deadlineMs - waitedMs)),
  };
}

function averagePullSeconds({ status }: PrePullImage): number {
  const seconds = (status?.nodeStatus ?? []).flatMap((node) => {
    const ms = node.status === 'Completed' && node.duration ? parseDuration(node.duration) : undefined;
    return ms === undefined ? [] : [ms / 1000];
  });
  return seconds.length === 0 ? 0 : seconds.reduce((sum, each) => sum + each, 0) / seconds.length;
}
