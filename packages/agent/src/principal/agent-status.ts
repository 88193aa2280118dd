import type { Agent } from '@fairlead/api';
import type { LinkReport } from '../link/link-options.ts';

export interface AgentObservation {
  readonly report: LinkReport | undefined;
  readonly version?: string | undefined;
  readonly connectedAt?: number | undefined;
  /** Why the last stream was refused or ended; of a stream that is open, why another one was refused not long ago. */
  readonly refusal?: string | undefined;
  /** What the agent has lately sent that could not be taken. */
  readonly rejectedInput?: string | undefined;
  /** Whether the last look at the cluster through the agent went well; undefined when nobody has looked. */
  readonly live?: { readonly ok: boolean; readonly reason?: string } | undefined;
  readonly blocked: boolean;
  readonly now: number;
}

/** Both sides are compared every five minutes: older than two of these is old. */
const freshMs = 12 * 60_000;

type Status = NonNullable<Agent['status']>;

/** What is said about an agent: three lights, each its own, and one sentence for whatever is not well. */
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
    ...(observation.connectedAt === undefined ? {} : { connectedAt: instant(observation.connectedAt) }),
    ...(report?.comparedAt === undefined ? {} : { comparedAt: instant(report.comparedAt) }),
    ...(brake ? { brake: { ...brake } } : {}),
    ...(quarantined.length > 0 ? { quarantined: quarantined.slice(0, 20).map((item) => ({ ...item })) } : {}),
  };
}

/** The source's side is asked for its list by the other: being heard of lately, with nothing left to say, is as good. */
const isSourceFresh = (report: LinkReport, now: number): boolean =>
  report.receivedAt !== undefined && now - report.receivedAt < 90_000 && report.pending === 0;

function reasonOf(
  { refusal, rejectedInput, live, blocked }: AgentObservation,
  connected: boolean,
  brake: { deletions: number; of: number; token: string } | undefined,
  quarantined: readonly { kind: string; name: string; reason: string }[],
): string | undefined {
  if (blocked) return 'it is blocked';
  if (!connected) return refusal ?? 'no stream is open';
  if (brake)
    return `${brake.deletions} deletions of ${brake.of} are held: see what they are, then fairlead agent confirm ${brake.token}`;
  const [first] = quarantined;
  if (first) {
    const more = quarantined.length > 1 ? ` (and ${quarantined.length - 1} more)` : '';
    return `${first.kind} ${first.name}: ${first.reason}${more}`;
  }
  if (refusal) return `another stream under its name was refused: ${refusal}`;
  if (rejectedInput) return `something that it sent was not taken: ${rejectedInput}`;
  return live && !live.ok ? `its cluster cannot be looked at: ${live.reason}` : undefined;
}

const instant = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/u, 'Z');
