import type { Message } from '../core/message.ts';
import { ArgocdAgentCodec } from './argocd-agent-codec.ts';
import type { Capabilities } from './capabilities.ts';
import type { CloudEvent } from './cloud-event.ts';
import { FairleadCodec } from './fairlead-codec.ts';
import type { LogRequest, ResourceRequest, ResourceResponse } from './live-request.ts';
import type { Decoded, NamespaceOf } from './read-event.ts';

/**
 * Translates messages into CloudEvents and back, for one connection. A peer is either Fairlead, whose events carry message numbers, or
 * argocd-agent, whose events are identified by ids. An event without a number gets one here, so that it can be acknowledged by it.
 */
export interface Codec {
  encode(message: Message): CloudEvent[];
  decode(event: CloudEvent): Decoded;
  /** Acknowledges an event that is not a message of a link. */
  encodeAcknowledgement(number: number, result?: { readonly error?: string; readonly trace?: string }): CloudEvent;
  encodeResourceRequest(request: ResourceRequest): CloudEvent;
  encodeResourceResponse(response: ResourceResponse, trace?: string): CloudEvent;
  encodeLogRequest(request: LogRequest): CloudEvent;
  /** The size of an object in the data of an event. */
  sizeOf(object: unknown): number;
}

export interface CodecOptions {
  /** Identifies the hub to agents of argocd-agent. Without it they cannot distinguish a recreated Application from the old one. */
  readonly principalUid?: string;
  /** Maps namespaces of argocd-agent's objects to namespaces in names on the link. */
  readonly namespaceOf?: NamespaceOf;
}

export const codecFor = (
  source: string,
  { fairlead, deltas }: Pick<Capabilities, 'fairlead' | 'deltas'>,
  options: CodecOptions = {},
): Codec => (fairlead ? new FairleadCodec(source, deltas) : new ArgocdAgentCodec(source, options));
