export { type AgentOptions, ClusterAgent } from './agent/agent.ts';
export { AgentRuntime } from './agent/agent-runtime.ts';
export { argocdAgentNames, readArgocdAgentIdentity } from './agent/argocd-agent-identity.ts';
export { type AgentIdentity, clusterId, join, readIdentity, writeIdentity } from './agent/identity.ts';
export { agentManifests } from './agent/install-manifests.ts';
export { type LiveLevel, type LivePolicy, liveLevels, readOnly } from './agent/live-policy.ts';
export type { LiveWrite } from './agent/live-requests.ts';
export { agentOfApplication, isMappedByDestination } from './core/elsewhere.ts';
export { Inbox } from './core/inbox.ts';
export {
  annotation,
  isSource,
  kindInfo,
  kindsOf,
  type Mapping,
  type MirroredKind,
  type MirroredObject,
  type Mode,
  type Role,
  secretTypeLabel,
  sourceUidOf,
} from './core/kinds.ts';
export type { Message } from './core/message.ts';
export { Outbox, type Subject } from './core/outbox.ts';
export { rules } from './core/rules.ts';
export type { Connection, Peer } from './link/connection.ts';
export { Link } from './link/link.ts';
export type { LinkReport } from './link/link-options.ts';
export { Liveness } from './link/liveness.ts';
export type { LinkSettings } from './link/make-link.ts';
export { MirrorStore } from './link/mirror-store.ts';
export { journalsIn } from './link/sending/journal-file.ts';
export { type JournalFile, OutboxJournal } from './link/sending/outbox-journal.ts';
export { admit } from './principal/admission.ts';
export { decodeInvitation, encodeInvitation, type Invitation, invite } from './principal/invitations.ts';
export {
  type LiveAccess,
  liveAccessOf,
  liveAccessSecret,
  readLiveAccess,
  writeLiveAccess,
} from './principal/live-access.ts';
export { liveProxy } from './principal/live-proxy.ts';
export { Principal, type PrincipalOptions } from './principal/principal.ts';
export { PrincipalLinks } from './principal/principal-links.ts';
export { withCapabilities } from './wire/capabilities.ts';
