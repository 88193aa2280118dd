import type { MirroredKind, MirroredObject } from './kinds.ts';

/** Whose message it is, and which: a number is given out once in the life of the process that its epoch names. */
export interface Header {
  readonly epoch: string;
  readonly number: number;
}

/** One object in a list or in a request for its state. The name is the source's. */
export interface Listed {
  readonly kind: MirroredKind;
  readonly name: string;
  readonly uid: string;
  /** The checksum of the source's state; empty where there is none, or none that can be trusted. */
  readonly content: string;
  /** The checksum of the status, where it flows the other way. */
  readonly status?: string;
  /** argocd-agent's checksum, for a peer that knows no other. */
  readonly plain?: string;
}

export interface Reported {
  readonly quarantined: readonly { readonly kind: string; readonly name: string; readonly reason: string }[];
  readonly brake?: BrakeReport;
  readonly applications: number;
}

export interface BrakeReport {
  /** Names exactly this set of deletions: a confirmation is for these and no others. */
  readonly token: string;
  readonly deletions: number;
  readonly of: number;
}

/** What the two sides say to each other. `label` is for people who read traces. */
export type Body =
  /** `name`: by which both sides know it; NAMESPACE/NAME where it is not in the default namespace. */
  | {
      readonly type: 'upsert';
      readonly kind: MirroredKind;
      readonly name: string;
      readonly object: MirroredObject;
      readonly create: boolean;
    }
  /** From the source: there is no such uid. From the mirror: it is gone here; `ordered` when the source had said that it is being deleted. */
  | {
      readonly type: 'delete';
      readonly kind: MirroredKind;
      readonly name: string;
      readonly uid: string;
      readonly ordered?: boolean;
      /** How many deletions the sender has under way, this one among them. */
      readonly together?: number;
    }
  | { readonly type: 'status'; readonly object: MirroredObject; readonly name: string; readonly uid: string }
  | {
      readonly type: 'operation' | 'terminate';
      readonly name: string;
      readonly uid: string;
      readonly id: string;
      readonly operation: Record<string, unknown>;
    }
  | { readonly type: 'list-request'; readonly checksum: string; readonly content: string }
  | {
      readonly type: 'list';
      readonly round: number;
      readonly part: number;
      readonly parts: number;
      readonly items: readonly Listed[];
    }
  | { readonly type: 'verify'; readonly item: Listed }
  /** Many at once, after a comparison. */
  | { readonly type: 'verify-all'; readonly items: readonly Listed[] }
  | { readonly type: 'resync' }
  /** `also`: others that were dealt with at about the same time. */
  | {
      readonly type: 'processed';
      readonly of: number;
      readonly error?: string;
      readonly equal?: boolean;
      readonly also?: readonly number[];
    }
  | { readonly type: 'error'; readonly kind: MirroredKind; readonly name: string; readonly message: string }
  | { readonly type: 'ping'; readonly report?: Reported }
  | { readonly type: 'pong'; readonly confirm?: string };

/** Of which change a message is a consequence: a W3C traceparent. */
export interface Traced {
  readonly trace?: string;
}

export type Message = Header & Body & Traced & { readonly label: string };

/** Messages that are told again until the peer says that it has dealt with them. */
export const needsAcknowledgement = (body: Body): boolean => !['processed', 'list', 'ping', 'pong'].includes(body.type);

/** Messages of one lane are dealt with one after the other, in the order of their numbers; lanes in parallel. */
export function laneOf(body: Body): string {
  switch (body.type) {
    case 'upsert':
    case 'delete':
    case 'error':
      return `${body.kind}/${body.name}`;
    case 'verify':
      return `${body.item.kind}/${body.item.name}`;
    case 'status':
    case 'operation':
    case 'terminate':
      return `Application/${body.name}`;
    default:
      return body.type;
  }
}

/** Messages of one subject: a newer one makes the older ones void. */
export function subjectOf(body: Body): string {
  switch (body.type) {
    case 'upsert':
      return `state ${body.object.metadata.uid}`;
    case 'delete':
      return `${body.ordered === undefined ? 'state' : 'gone'} ${body.uid}`;
    case 'status':
      return `status ${body.uid}`;
    case 'operation':
    case 'terminate':
      return `operation ${body.uid}`;
    case 'verify':
      return `verify ${body.item.uid}`;
    case 'verify-all':
      return `verify-all ${body.items[0]?.uid}`;
    default:
      return body.type;
  }
}

/** Tells two messages about one subject apart when they do not say the same. */
export function versionOf(body: Body): string {
  switch (body.type) {
    case 'upsert':
      return `upsert ${body.object.metadata.resourceVersion}`;
    case 'status':
      return `status ${body.object.metadata.resourceVersion}`;
    case 'verify':
      return `verify ${body.item.content} ${body.item.status ?? ''}`;
    case 'operation':
    case 'terminate':
      return `${body.type} ${body.id}`;
    case 'list-request':
      return `list ${body.content}`;
    case 'verify-all':
      return `verify ${body.items.length}`;
    case 'delete':
      return `delete ${body.ordered}`;
    default:
      return body.type;
  }
}
