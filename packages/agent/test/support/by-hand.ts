import type { AgentIdentity } from '../../src/index.ts';
import { type CloudEvent, decodeEvent, encodeEvent } from '../../src/wire/cloud-event.ts';
import { GrpcClient } from '../../src/wire/grpc-client.ts';
import type { GrpcError } from '../../src/wire/grpc-frames.ts';
import { ProtoWriter, readStrings } from '../../src/wire/protobuf.ts';

export interface ByHandOptions {
  readonly address: string;
  readonly version: string;
  readonly maxBytes?: number;
  /** Shown instead of the one that is issued. */
  readonly token?: string;
}

/** A stream opened by hand, to say on it what no agent would. */
export async function openByHand(
  identity: AgentIdentity,
  { address, version, maxBytes = 2 ** 20, token }: ByHandOptions,
) {
  const client = await GrpcClient.connect({ ...identity, address, maxBytes });
  const request = new ProtoWriter()
    .string(1, 'mtls')
    .string(3, identity.mode)
    .string(4, version)
    .string(5, 'argocd')
    .finish();
  const { strings } = readStrings(await client.unary('/authapi.Authentication/Authenticate', request));
  const heard: CloudEvent[] = [];
  let ended: GrpcError | undefined;
  const handlers = {
    message: (bytes: Buffer) => void heard.push(decodeEvent(bytes)),
    tooLarge: () => {},
    ended: (error: GrpcError | undefined) => (ended = error),
  };
  const open = (with_ = token ?? strings[1]!) => client.call('/eventstreamapi.EventStream/Subscribe', handlers, with_);
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
    heard,
    send,
    token: strings[1]!,
    refreshToken: strings[2]!,
    ended: () => ended,
    /** Another stream on the same connection. */
    open,
    /** Answers all that was heard, as argocd-agent does. */
    answerAll() {
      for (const { type, attributes } of heard)
        if (!type.endsWith('.processed')) send('processed', 'eventProcessed', attributes);
    },
    /** The objects that events of a type have told of. */
    told: (type: string) =>
      heard
        .filter((event) => event.type.endsWith(`.${type}`))
        .map(({ data, attributes }) => ({ object: JSON.parse(data.toString()), attributes })),
  };
}
