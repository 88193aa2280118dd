import type { Mode } from '../core/kinds.ts';

/** What the hub knows of an agent of a name. */
export interface KnownAgent {
  readonly mode: Mode;
  /** The cluster that has joined under the name. */
  readonly cluster?: string;
  readonly blocked?: boolean;
}

export interface Applicant {
  readonly agent: string;
  readonly mode: Mode;
  /** Absent when the peer is argocd-agent, which does not say. */
  readonly cluster?: string;
}

export type Admission = { readonly admitted: true } | { readonly admitted: false; readonly reason: string };

/** Whether an agent that has proved its name may open a stream. A second cluster under one name would fight over every object. */
export function admit(known: KnownAgent | undefined, { agent, mode, cluster }: Applicant): Admission {
  const no = (reason: string): Admission => ({ admitted: false, reason });
  if (!known) return no(`there is no agent ${agent} here: invite it first`);
  if (known.blocked) return no(`agent ${agent} is blocked`);
  if (known.mode !== mode) return no(`agent ${agent} was invited as ${known.mode}, and comes as ${mode}`);
  if (known.cluster !== undefined && cluster !== undefined && known.cluster !== cluster) {
    return no(
      `agent ${agent} belongs to cluster ${known.cluster}, and this is cluster ${cluster}: two agents have one name`,
    );
  }
  return { admitted: true };
}
