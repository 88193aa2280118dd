export { type AgentOptions, ClusterAgent } from './agent/agent.ts';
export { type AgentIdentity, clusterId, join, readIdentity, writeIdentity } from './agent/identity.ts';
export { agentManifests } from './agent/install-manifests.ts';
export { type LivePolicy, readOnly } from './agent/live-view.ts';
export { Workplace } from './agent/workplace.ts';
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
export { journalsIn } from './link/journal-file.ts';
export { Link } from './link/link.ts';
export type { LinkReport } from './link/link-options.ts';
export { Liveness } from './link/liveness.ts';
export type { LinkSettings } from './link/make-link.ts';
export { type JournalFile, OutboxJournal } from './link/outbox-journal.ts';
export { Shelf } from './link/shelf.ts';
export { admit } from './principal/admission.ts';
export { Hub } from './principal/hub.ts';
export { decodeInvitation, encodeInvitation, type Invitation, invite } from './principal/invitations.ts';
export { type LiveAccess, liveAccessSecret, readLiveAccess, writeLiveAccess } from './principal/live-access.ts';
export { Principal, type PrincipalOptions } from './principal/principal.ts';
export { withCapabilities } from './wire/capabilities.ts';
