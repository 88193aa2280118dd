import type { JsonObject } from '@fairlead/apimachinery';
import type { Claims } from '../rbac/claims.ts';
import type { Caller } from '../rbac/enforcer.ts';

/** What a call knows of its caller. */
export interface CallContext {
  readonly caller: Caller;
  /** Of a caller that is signed in. */
  readonly claims?: Claims;
  /** The address that the request comes from. */
  readonly remoteAddress: string;
  readonly signal: AbortSignal;
  /** The token of a session that begins, or was renewed. */
  startSession(token: string, cookies?: readonly string[]): void;
}

/** Performs a call: a request message to a response message. Throws an RpcError. */
export type Call = (context: CallContext, request: JsonObject) => Promise<object> | object;

/** Sends messages until the signal aborts or it has no more. */
export type StreamCall = (context: CallContext, request: JsonObject) => AsyncIterable<object>;

/** Reads messages until the client has sent all, and answers once. */
export type ClientStreamCall = (context: CallContext, requests: AsyncIterable<JsonObject>) => Promise<object>;

export type Calls = Readonly<Record<string, Call>>;
export type StreamCalls = Readonly<Record<string, StreamCall>>;
export type ClientStreamCalls = Readonly<Record<string, ClientStreamCall>>;
