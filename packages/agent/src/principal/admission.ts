import type { Mode } from '../core/kinds.ts';
import { reservedNameProblem } from './agent-name.ts';

/** The information of the hub about an agent. */
export interface KnownAgent {
  readonly mode: Mode;
  /** The cluster that joined under this name. */
  readonly cluster?: string;
  readonly blocked?: boolean;
}

export interface Applicant {
  readonly agent: string;
  /** The namespace of the control plane, which no agent can have. */
  readonly controlPlaneNamespace: string;
  readonly mode: Mode;
  /** Absent for argocd-agent, which does not send it. */
  readonly cluster?: string;
}

export type Admission = { readonly admitted: true } | { readonly admitted: false; readonly reason: string };

/** Whether an authenticated agent may open a stream. Two clusters under one name would overwrite each other's objects. */
export function admit(
  known: KnownAgent | undefined,
  { agent, controlPlaneNamespace, mode, cluster }: Applicant,
): Admission {
  const no = (reason: string): Admission => ({ admitted: false, reason });
  if (!known) return no(`agent ${agent} does not exist: create it with fairlead agent invite ${agent}`);
  const reserved = reservedNameProblem(agent, controlPlaneNamespace);
  if (reserved !== undefined) return no(reserved);
  if (known.blocked) return no(`agent ${agent} is blocked`);
  if (known.mode !== mode)
    return no(`agent ${agent} was invited with mode ${known.mode}, and connects with mode ${mode}`);
  if (known.cluster !== undefined && cluster !== undefined && known.cluster !== cluster) {
    return no(
      `agent ${agent} belongs to cluster ${known.cluster}, and this is cluster ${cluster}: two agents have the same name`,
    );
  }
  return { admitted: true };
}
