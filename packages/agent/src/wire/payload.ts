import { apiVersionOf } from '@fairlead/apimachinery';
import { annotation, kindInfo, type MirroredKind, type MirroredObject } from '../core/kinds.ts';
import { splitName } from '../core/link-names.ts';
import type { Message } from '../core/message.ts';
import type { EventName } from './event-type.ts';
import { type Attributes, type EventIds, traceparent } from './event-writer.ts';

/** The messages whose data is an object of a mirrored kind. */
export type ObjectMessage = Extract<Message, { type: 'upsert' | 'delete' | 'status' | 'operation' | 'terminate' }>;

export interface ObjectPayload {
  readonly name: EventName;
  readonly kind: MirroredKind;
  readonly object: MirroredObject;
  readonly attributes: Attributes;
}

export function objectPayload(message: ObjectMessage): ObjectPayload {
  switch (message.type) {
    case 'upsert': {
      const { kind, object, create, name } = message;
      return { name: create ? 'create' : 'spec-update', kind, object, attributes: namespaceAttribute(name) };
    }
    case 'status':
      return {
        name: 'status-update',
        kind: 'Application',
        object: message.object,
        attributes: namespaceAttribute(message.name),
      };
    case 'delete': {
      const { kind, name, uid, ordered, together } = message;
      const attributes = {
        ...namespaceAttribute(name),
        ...(ordered === undefined ? {} : { ordered: String(ordered) }),
        ...(together === undefined ? {} : { together: String(together) }),
      };
      return { name: 'delete', kind, object: nameOnly(kind, name, uid), attributes };
    }
    case 'operation':
    case 'terminate': {
      const { name, uid, id, operation } = message;
      return {
        name: message.type === 'operation' ? 'set-operation' : 'terminate-operation',
        kind: 'Application',
        object: { ...nameOnly('Application', name, uid), operation },
        attributes: { ...namespaceAttribute(name), operationid: id },
      };
    }
  }
}

export function objectIds({ metadata: { name, uid = '', resourceVersion = '' } }: MirroredObject): EventIds {
  return { eventid: `${name}_${uid}_${resourceVersion}`, resourceid: `${name}_${uid}` };
}

export const objectAttributes = ({ metadata: { name, namespace = '' } }: MirroredObject): Attributes => ({
  subject: `${namespace}/${name}`,
  sentat: new Date().toISOString(),
});

export const sequenceAttributes = ({ epoch, number, trace }: Message): Attributes => ({
  sequence: `${epoch}:${number}`,
  ...traceparent(trace),
});

export interface DataPayload {
  readonly name: EventName;
  readonly target: string;
  readonly data: unknown;
}

/** The messages that both kinds of peers get in the same form. */
export type DataMessage = Extract<Message, { type: 'list-request' | 'verify-all' | 'resync' | 'error' | 'ping' }>;

export function dataPayload(message: DataMessage): DataPayload {
  const target = 'resourceResync';
  switch (message.type) {
    case 'list-request': {
      const { checksum, content } = message;
      return { name: 'request-synced-resource-list', target, data: { checksum, content } };
    }
    case 'verify-all':
      return { name: 'request-update', target, data: { items: message.items } };
    case 'resync':
      return { name: 'request-resource-resync', target, data: {} };
    case 'error': {
      const { name, namespace = '' } = separateNames(message.name);
      const data = { resourceName: name, resourceNamespace: namespace, message: message.message };
      return { name: 'error', target: kindInfo[message.kind].target, data };
    }
    case 'ping':
      return { name: 'ping', target: 'heartbeat', data: message.report ?? {} };
  }
}

/** The namespace of an Application outside the default namespace. */
function namespaceAttribute(name: string): Attributes {
  const { namespace } = splitName(name);
  return namespace === undefined ? {} : { place: namespace };
}

export function separateNames(name: string): { readonly name: string; readonly namespace?: string } {
  const { namespace, plain } = splitName(name);
  return namespace === undefined ? { name: plain } : { name: plain, namespace };
}

const nameOnly = (kind: MirroredKind, name: string, uid: string): MirroredObject => ({
  apiVersion: apiVersionOf(kindInfo[kind].type),
  kind: kindInfo[kind].type.kind,
  metadata: { ...separateNames(name), uid, annotations: { [annotation.sourceUid]: uid } },
});
