import type { Clock, Logger } from '@fairlead/kube';
import type { GrpcClient } from '../wire/grpc-client.ts';
import { ProtoWriter, readStrings } from '../wire/protobuf.ts';
import { lifeOf } from '../wire/tokens.ts';

/** Of a token that does not say how long it is good. */
const usualMs = 15 * 60_000;

export interface IssuedTokens {
  readonly access: string;
  readonly refresh: string;
}

export const tokensIn = (bytes: Buffer): IssuedTokens => {
  const { strings } = readStrings(bytes);
  return { access: strings[1] ?? '', refresh: strings[2] ?? '' };
};

/**
 * Asks for the next token when two thirds of the present one's time are over, and then again and again: a principal ends the stream of
 * an agent whose token has run out. Time is measured from when the token came, since the two clocks need not agree.
 */
export function keepTokens(client: GrpcClient, first: IssuedTokens, clock: Clock, log: Logger): () => void {
  let tokens = first;
  let cancel = () => {};
  let stopped = false;
  const wait = (share: number): void => {
    if (stopped) return;
    cancel = clock.after((lifeOf(tokens.access) ?? usualMs) * share, () => {
      client
        .unary('/authapi.Authentication/RefreshToken', new ProtoWriter().string(1, tokens.refresh).finish())
        .then((bytes) => {
          const next = tokensIn(bytes);
          tokens = { access: next.access || tokens.access, refresh: next.refresh || tokens.refresh };
          wait(2 / 3);
        })
        .catch((error: unknown) => {
          log.warn('no new token', { reason: (error as Error).message });
          wait(1 / 12);
        });
    });
  };
  wait(2 / 3);
  return () => {
    stopped = true;
    cancel();
  };
}
