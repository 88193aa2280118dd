import type { AgentIdentity } from '../../src/index.ts';
import { type CloudEvent, decodeEvent, encodeEvent } from '../../src/wire/cloud-event.ts';
import { Authentication } from '../../src/wire/gen/auth_pb.ts';
import { EventStream } from '../../src/wire/gen/eventstream_pb.ts';
import { GrpcClient } from '../../src/wire/grpc-client.ts';
import type { GrpcError } from '../../src/wire/grpc-frames.ts';
import { callUnary, methodPath } from '../../src/wire/rpc.ts';

export interface ManualStreamOptions {
  readonly address: string;
  readonly version: string;
  readonly maxBytes?: number;
  /** Sent instead of the issued one. */
  readonly token?: string;
}

/** A stream opened manually, to send what no agent would. */
export async function openManualStream(
  identity: AgentIdentity,
  { address, version, maxBytes = 2 ** 20, token }: ManualStreamOptions,
) {
  const client = await GrpcClient.connect({ ...identity, address, maxBytes });
  const { accessToken, refreshToken } = await callUnary(client, Authentication.method.authenticate, {
    method: 'mtls',
    mode: identity.mode,
    version,
    agentNamespace: 'argocd',
  });
  const received: CloudEvent[] = [];
  let ended: GrpcError | undefined;
  const handlers = {
    message: (bytes: Buffer) => void received.push(decodeEvent(bytes)),
    tooLarge: () => {},
    ended: (error: GrpcError | undefined) => (ended = error),
  };
  const open = (with_ = token ?? accessToken) => client.call(methodPath(EventStream.method.subscribe), handlers, with_);
  const call = open();
  const send = (type: string, dataschema: string, ids: Readonly<Record<string, string>>, data?: unknown): void =>
    call.send(
      encodeEvent({
        id: '1',
        source: 'by hand',
        type: `io.argoproj.argocd-agent.event.${type}`,
        attributes: { eventid: type, resourceid: type, ...ids, dataschema },
        data: data === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(data)),
      }),
    );
  return {
    client,
    call,
    received,
    send,
    token: accessToken,
    refreshToken,
    ended: () => ended,
    /** Another stream on the same connection. */
    open,
    /** Acknowledges everything received, as argocd-agent does. */
    answerAll() {
      for (const { type, attributes } of received)
        if (!type.endsWith('.processed')) send('processed', 'eventProcessed', attributes);
    },
    /** The objects in events of a type. */
    sentObjects: (type: string) =>
      received
        .filter((event) => event.type.endsWith(`.${type}`))
        .map(({ data, attributes }) => ({ object: JSON.parse(data.toString()), attributes })),
  };
}
