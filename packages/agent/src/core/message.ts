import type { MirroredKind, MirroredObject } from './kinds.ts';

/** Identifies a message: a number is used once within the life of the process that the epoch names. */
export interface Header {
  readonly epoch: string;
  readonly number: number;
}

/** One object in a list or in a request for its state. The name is the source's. */
export interface Listed {
  readonly kind: MirroredKind;
  readonly name: string;
  readonly uid: string;
  /** The checksum of the source's state; empty if there is none that can be trusted. */
  readonly content: string;
  /** The checksum of the status, if status flows in the other direction. */
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
  /** Identifies exactly this set of deletions: a confirmation applies to no other. */
  readonly token: string;
  readonly deletions: number;
  readonly of: number;
}

/** The messages of a link. `label` is for logs and traces. */
export type Body =
  /** `name`: the name on the link, which is NAMESPACE/NAME outside the default namespace. */
  | {
      readonly type: 'upsert';
      readonly kind: MirroredKind;
      readonly name: string;
      readonly object: MirroredObject;
      readonly create: boolean;
    }
  /** From the source: the uid does not exist. From the mirror: it no longer exists here; `ordered` if the source had ordered its deletion. */
  | {
      readonly type: 'delete';
      readonly kind: MirroredKind;
      readonly name: string;
      readonly uid: string;
      readonly ordered?: boolean;
      /** How many deletions the sender has in progress, including this one. */
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
  /** Many objects at once, after a comparison. */
  | { readonly type: 'verify-all'; readonly items: readonly Listed[] }
  | { readonly type: 'resync' }
  /** `also`: other messages that were processed at about the same time. */
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

/** The W3C traceparent of the change that a message results from. */
export interface Traced {
  readonly trace?: string;
}

export type Message = Header & Body & Traced & { readonly label: string };

/** Messages that are sent again until the peer acknowledges them. */
export const needsAcknowledgement = (body: Body): boolean => !['processed', 'list', 'ping', 'pong'].includes(body.type);

/** Messages of one lane are processed one after the other, in the order of their numbers; lanes run in parallel. */
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

/** Of the messages of one subject the newest replaces the older ones. */
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

/** Differs for messages about one subject that do not have the same content. */
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
