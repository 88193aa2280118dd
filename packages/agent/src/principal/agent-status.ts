import type { Agent } from '@fairlead/api';
import { formatTime } from '@fairlead/apimachinery';
import type { LinkReport } from '../link/link-options.ts';

export interface AgentObservation {
  readonly report: LinkReport | undefined;
  readonly version?: string | undefined;
  readonly connectedAt?: number | undefined;
  /** Why the last stream was refused or closed; while a stream is open, why another one was refused recently. */
  readonly refusal?: string | undefined;
  /** A recently rejected message of the agent. */
  readonly rejectedInput?: string | undefined;
  /** Whether the last live request through the agent succeeded; undefined if there was none. */
  readonly live?: { readonly ok: boolean; readonly reason?: string } | undefined;
  readonly blocked: boolean;
  readonly now: number;
}

/** Both sides are compared every five minutes; data is stale after more than two intervals. */
const freshMs = 12 * 60_000;

type Status = NonNullable<Agent['status']>;

/** The status of an Agent: transport, data and live access, and one sentence for what is wrong. */
export function statusOf(observation: AgentObservation): Status {
  const { report, live, now } = observation;
  const connected = report?.connected ?? false;
  const fresh = report?.comparedAt !== undefined && now - report.comparedAt < freshMs;
  const brake = report?.brake ?? report?.remote?.brake;
  const quarantined = [...(report?.quarantined ?? []), ...(report?.remote?.quarantined ?? [])];
  const transport = connected ? 'Up' : 'Down';
  const data = !report ? 'Unknown' : connected && (fresh || isSourceFresh(report, now)) ? 'Fresh' : 'Stale';
  const reason = reasonOf(observation, connected, brake, quarantined);
  return {
    transport,
    data,
    live: !connected ? 'Down' : live === undefined ? 'Unknown' : live.ok ? 'Up' : 'Down',
    ...(reason ? { reason } : {}),
    ...(observation.version ? { version: observation.version } : {}),
    applications: connected && report?.remote ? report.remote.applications : (report?.applications ?? 0),
    pending: report?.pending ?? 0,
    ...(observation.connectedAt === undefined ? {} : { connectedAt: formatTime(observation.connectedAt) }),
    ...(report?.comparedAt === undefined ? {} : { comparedAt: formatTime(report.comparedAt) }),
    ...(brake ? { brake: { ...brake } } : {}),
    ...(quarantined.length > 0 ? { quarantined: quarantined.slice(0, 20).map((item) => ({ ...item })) } : {}),
  };
}

/** The source does not know when a comparison ends: a recent message and an empty outbox count as fresh. */
const isSourceFresh = (report: LinkReport, now: number): boolean =>
  report.receivedAt !== undefined && now - report.receivedAt < 90_000 && report.pending === 0;

function reasonOf(
  { refusal, rejectedInput, live, blocked }: AgentObservation,
  connected: boolean,
  brake: { deletions: number; of: number; token: string } | undefined,
  quarantined: readonly { kind: string; name: string; reason: string }[],
): string | undefined {
  if (blocked) return 'the agent is blocked';
  if (!connected) return refusal ?? 'no stream is open';
  if (brake)
    return `${brake.deletions} of ${brake.of} deletions are held: check them, then run fairlead agent confirm ${brake.token}`;
  const [first] = quarantined;
  if (first) {
    const more = quarantined.length > 1 ? ` (and ${quarantined.length - 1} more)` : '';
    return `${first.kind} ${first.name}: ${first.reason}${more}`;
  }
  if (refusal) return `another stream with the name of this agent was refused: ${refusal}`;
  if (rejectedInput) return `rejected input from the agent: ${rejectedInput}`;
  return live && !live.ok ? `live access to the cluster failed: ${live.reason}` : undefined;
}
